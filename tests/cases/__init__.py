"""The case runner: neutral descriptions of problems, computed by poinsot's public API alone.

    python -m tests.cases FILE [FILE ...] [--only ID]

``runner`` reads the files and prints a line a case, ``compare`` says what it means to agree,
``adapters`` lists the adapters, one a file: functions that take a case and return what poinsot
finds for each expected entry.  They translate descriptions and contain no mechanics.
"""
