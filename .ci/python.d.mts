import type { Found } from '../server/launch/debian.mjs';

/** See python.mjs. */
export function ensurePython(): Found;
