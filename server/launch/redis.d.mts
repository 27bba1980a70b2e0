import type { Found } from './debian.mjs';

export function findRedis(): string | null;
export function ensureRedis(): Found;
