import { numberFormat } from '../../_i18n/formats.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** “3.4 MB”, in powers of 1000. */
export function formatBytes(locale: string, bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const form = { style: 'unit', unit: UNITS[power] ?? 'byte', unitDisplay: 'short' } as const;
  const digits = power > 1 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumFractionDigits: 0 };
  return numberFormat(locale, { ...form, ...digits }).format(bytes / 1_000 ** power);
}
