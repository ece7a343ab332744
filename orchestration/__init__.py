"""How the work is run: settings, definitions, schedule, resources and the command line; what is made is in `assets`."""
