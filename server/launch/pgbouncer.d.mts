import type { Found } from './debian.mjs';

export function ensurePgbouncer(): Found;
