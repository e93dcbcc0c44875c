"""The two WebAssembly modules between which a witness calculator of circom 2 runs.

The interface is in circom's sources, code_producers/src/wasm_elements. Values pass through a window of the
calculator's memory, one at a time; setting the last input computes the witness.
"""

from __future__ import annotations

PAGE_BYTES = 1 << 16

# $errors: what printErrorMessage said, one line each. $log: records of a kind byte and contents: text (0) up
# to a zero byte, or a field element (1) of $words 32-bit words. What no longer fits is dropped. $circuit
# holds the calculator's getMessageChar and readSharedRWMemory, put there by the driver. circom before 2.0.7
# is $silent: its message is to be fetched when the exception comes.
RUNTIME = f"""
(module
  (type $get (func (result i32)))
  (type $read (func (param i32) (result i32)))
  (table $circuit (export "circuit") 2 2 funcref)
  (memory $errors (export "errors") 1 1)
  (memory $log (export "log") 1 256)
  (global $errors_end (export "errors_end") (mut i32) (i32.const 0))
  (global $log_end (export "log_end") (mut i32) (i32.const 0))
  (global $log_wanted (export "log_wanted") (mut i32) (i32.const 0))
  (global $words (export "words") (mut i32) (i32.const 0))
  (global $silent (export "silent") (mut i32) (i32.const 0))
  (global $code (export "code") (mut i32) (i32.const 0))

  (func $to_errors (param $byte i32)
    (if (i32.ge_u (global.get $errors_end) (i32.const {PAGE_BYTES})) (then (return)))
    (i32.store8 $errors (global.get $errors_end) (local.get $byte))
    (global.set $errors_end (i32.add (global.get $errors_end) (i32.const 1))))

  (func $to_log (param $byte i32)
    (if (i32.ge_u (global.get $log_end) (i32.mul (memory.size $log) (i32.const {PAGE_BYTES})))
      (then (if (i32.lt_s (memory.grow $log (i32.const 1)) (i32.const 0)) (then (return)))))
    (i32.store8 $log (global.get $log_end) (local.get $byte))
    (global.set $log_end (i32.add (global.get $log_end) (i32.const 1))))

  (func $print (export "printErrorMessage")
    (local $character i32)
    (block $done (loop $next
      (local.set $character (call_indirect $circuit (type $get) (i32.const 0)))
      (br_if $done (i32.eqz (local.get $character)))
      (call $to_errors (local.get $character))
      (br $next)))
    (call $to_errors (i32.const 10)))

  (func (export "exceptionHandler") (param $code i32)
    (global.set $code (local.get $code))
    (if (global.get $silent) (then (call $print)))
    (unreachable))

  (func (export "writeBufferMessage")
    (local $character i32)
    (if (i32.eqz (global.get $log_wanted)) (then (return)))
    (call $to_log (i32.const 0))
    (loop $next
      (local.set $character (call_indirect $circuit (type $get) (i32.const 0)))
      (call $to_log (local.get $character))
      (br_if $next (local.get $character))))

  (func (export "showSharedRWMemory")
    (local $i i32) (local $word i32)
    (if (i32.eqz (global.get $log_wanted)) (then (return)))
    (call $to_log (i32.const 1))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $i) (global.get $words)))
      (local.set $word (call_indirect $circuit (type $read) (local.get $i) (i32.const 1)))
      (call $to_log (local.get $word))
      (call $to_log (i32.shr_u (local.get $word) (i32.const 8)))
      (call $to_log (i32.shr_u (local.get $word) (i32.const 16)))
      (call $to_log (i32.shr_u (local.get $word) (i32.const 24)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))))
"""

# set: the first $count values are those of the signal with the given hash. get: all wires into $values.
DRIVER = """
(module
  (import "circuit" "memory" (memory $circuit 0))
  (import "circuit" "setInputSignal" (func $set_one (param i32 i32 i32)))
  (import "circuit" "getWitness" (func $get_one (param i32)))
  (import "circuit" "getMessageChar" (func $message (result i32)))
  (import "circuit" "readSharedRWMemory" (func $read (param i32) (result i32)))
  (import "runtime" "circuit" (table $functions 2 2 funcref))
  (elem (table $functions) (i32.const 0) func $message $read)
  (memory $values (export "values") {pages})

  (func (export "set") (param $high i32) (param $low i32) (param $count i32)
      (param $window i32) (param $bytes i32)
    (local $i i32) (local $from i32)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
      (memory.copy $circuit $values (local.get $window) (local.get $from) (local.get $bytes))
      (call $set_one (local.get $high) (local.get $low) (local.get $i))
      (local.set $from (i32.add (local.get $from) (local.get $bytes)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next))))

  (func (export "get") (param $wires i32) (param $window i32) (param $bytes i32)
    (local $i i32) (local $to i32)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $i) (local.get $wires)))
      (call $get_one (local.get $i))
      (memory.copy $values $circuit (local.get $to) (local.get $window) (local.get $bytes))
      (local.set $to (i32.add (local.get $to) (local.get $bytes)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))))
"""
