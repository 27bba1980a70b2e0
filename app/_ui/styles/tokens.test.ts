import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const themes = { light: new Map<string, string>(), dark: new Map<string, string>() };
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)) {
  themes.light.set(name ?? '', light ?? '');
  themes.dark.set(name ?? '', dark ?? '');
}

const TEXT = 4.5;
const SHAPES = 3;

const pages = ['ground', 'surface', 'sunken'];
const on = (backgrounds: string[], foregrounds: string[], least: number) =>
  foregrounds.flatMap((foreground) => backgrounds.map((background) => [foreground, background, least] as const));

const PAIRS = [
  ...on(pages, ['ink', 'muted', 'accent', 'accent-strong', 'accent-ink', 'danger-ink'], TEXT),
  ...on(['accent', 'accent-strong'], ['on-accent'], TEXT),
  ...on(['accent-soft'], ['ink', 'muted', 'accent-ink'], TEXT),
  ...on(['caution-soft'], ['caution-ink'], TEXT),
  ...on(['danger-soft'], ['danger-ink'], TEXT),
  ...on(['warm'], ['on-warm'], TEXT),
  ...on(['settled'], ['on-settled', 'on-settled-muted'], TEXT),
  ...on(['bedrock'], ['on-bedrock', 'on-bedrock-muted'], TEXT),
  ...on(pages, ['edge', 'accent', 'caution-edge', 'danger-edge', 'focus'], SHAPES),
  ...on(['accent-soft', 'caution-soft', 'danger-soft'], ['focus'], SHAPES),
];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const colour = (name: string): string => {
    const value = themes[theme].get(name);
    if (!value) throw new Error(`There is no colour "${name}".`);
    return value;
  };

  it.each(PAIRS)('%s on %s has a contrast of at least %d to 1', (foreground, background, minimum) => {
    expect(contrast(colour(foreground), colour(background))).toBeGreaterThanOrEqual(minimum);
  });
});

it('computes the contrast of black on white', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
});

/** WCAG 2.2, contrast ratio of two colours written #rrggbb. */
function contrast(foreground: string, background: string): number {
  const [darker = 0, lighter = 0] = [luminance(foreground), luminance(background)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
