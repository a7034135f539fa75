#!/usr/bin/env node
/** Adds one archive in a process of its own; prints the time and the memory as JSON. */
import { readFileSync } from 'node:fs';
import { archiveOf, borgListing, indexed, listingOf, openIndexes } from './indexed-files.mjs';

const { dataDirectory, files, number, place } = JSON.parse(process.argv[2]);
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
const indexes = await openIndexes(dataDirectory);
const index = await indexes.open(indexed);
await index.archives();
global.gc?.();
const idle = resident();
let peak = idle;
const look = setInterval(() => {
  peak = Math.max(peak, resident());
}, 25);
const began = performance.now();
const cpu = process.cpuUsage();
const entries = place ? borgListing(dataDirectory, place) : listingOf(files, number);
const added = await index.add(archiveOf(number), entries);
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
clearInterval(look);
await indexes.close();
process.stdout.write(JSON.stringify({ ms, cpu: (user + system) / 1000, memory: peak - idle, added }));
