#!/usr/bin/env node
/**
 * Runs the command against hostile targets: servers that stall, flood or attack their client. `npm run prove` (with
 * `--hostile`) does this too, after its faults and freedoms.
 */
import { proveCommandAlone } from './prove/command-proof.ts';
import { attackAll } from './prove/hostile/attack.ts';

await proveCommandAlone('prove-hostile', 'Runs the command against hostile targets.', attackAll);
