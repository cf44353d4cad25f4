"""Equations for people: names, intermediate variables, normal forms, texts and documents."""
