#!/usr/bin/env node
// A file of its own: what the compiler writes can't be executed.
import '../dist/main.js';
