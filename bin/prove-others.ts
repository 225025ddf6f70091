#!/usr/bin/env node
/**
 * Judges services that others wrote, with known defects; with `--only`, some of these services. `npm run prove` (with `--others`)
 * judges all of them after its faults, freedoms and hostile targets.
 */
import { proveCommandAlone } from './prove/command-proof.ts';
import { judgeOthers } from './prove/others/judge-all.ts';

await proveCommandAlone('prove-others', 'Judges services of other make with known defects.', judgeOthers);
