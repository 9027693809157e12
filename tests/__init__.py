"""Tests of WebOrdinary, from single decisions to whole conversations."""
