import { type Check, warning } from './check.ts';

/** Variables that look like settings. */
export const settings: Check = {
  name: 'names of settings',
  run: async ({ UNKNOWN }) =>
    UNKNOWN.map(({ name, closest }) =>
      warning(`${name} is not a setting and has no effect.`, `Correct it, for example to ${closest}, or remove it.`),
    ),
};
