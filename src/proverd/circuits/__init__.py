"""Circuits: written in Python, ready-made, or compiled by circom."""
