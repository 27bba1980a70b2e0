import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainProblem, domainSyntaxProblem, normalDomain } from './domains.ts';

const malformed = (domain: string, suffix = 'bsp') => domainSyntaxProblem(domain, suffix)?.code ?? null;
const unacceptable = (domain: string, suffix = 'bsp') => domainProblem(domain, suffix)?.code ?? null;
const long = (length: number): string => `${'a'.repeat(length - 4)}.bsp`;

describe('a domain that can be taken', () => {
  test.each([
    'a.bsp',
    'maria.bsp',
    'maria.da-silva.bsp',
    '1.bsp',
    '0x-9.bsp',
    'a--b.bsp',
    'xn--joo-sma.bsp',
    'MARIA.BSP',
    'administrator.bsp',
    'my-registry.bsp',
    `${'a'.repeat(60)}.bsp`,
    'a.b.c.d.e.f.bsp',
  ])('%s', (domain) => {
    expect(unacceptable(domain)).toBeNull();
  });

  test('may have any suffix the service is set to', () => {
    expect(unacceptable('maria.id.example', 'id.example')).toBeNull();
    expect(malformed('maria.bsp', 'id.example')).toBe('DOMAIN_INVALID');
  });
});

describe('a domain that is none', () => {
  test.each([
    '',
    'bsp',
    '.bsp',
    'maria',
    'maria.',
    'maria.com',
    'maria.bsp.',
    'maria.bsp.com',
    'mariabsp',
    '.maria.bsp',
    'maria..bsp',
    '-maria.bsp',
    'maria-.bsp',
    'maria.-x.bsp',
    'ma ria.bsp',
    ' maria.bsp',
    'maria.bsp ',
    'maria.bsp\n',
    'maria\n.bsp',
    'ma_ria.bsp',
    'maria@home.bsp',
    'joão.bsp',
    'маria.bsp',
    '\u212aarl.bsp',
    'ａ.bsp',
    'maria。bsp',
    '😀.bsp',
    'maria\0.bsp',
  ])('%j', (domain) => {
    expect(malformed(domain)).toBe('DOMAIN_INVALID');
    expect(unacceptable(domain)).toBe('DOMAIN_INVALID');
  });

  test('a label has at most 63 characters, a domain at most 64', () => {
    expect(unacceptable(long(64))).toBeNull();
    expect(unacceptable(long(65))).toBe('DOMAIN_INVALID');
    expect(unacceptable(`${'a'.repeat(63)}.x`, 'x')).toBe('DOMAIN_INVALID');
    expect(unacceptable(`${'a.'.repeat(30)}bsp`)).toBeNull();
    expect(unacceptable(`${'a.'.repeat(31)}bsp`)).toBe('DOMAIN_INVALID');
  });
});

describe('a reserved word', () => {
  test.each(['bsp', 'institute', 'registry', 'admin', 'root'])(
    '%s cannot be taken in any part, but looked up',
    (word) => {
      for (const domain of [`${word}.bsp`, `${word.toUpperCase()}.bsp`, `maria.${word}.bsp`, `${word}.maria.bsp`]) {
        expect(unacceptable(domain)).toBe('DOMAIN_RESERVED');
        expect(malformed(domain)).toBeNull();
      }
    },
  );
});

describe('the form in which a domain is stored', () => {
  test('folds the letters A to Z and nothing else', () => {
    expect(normalDomain('MaRiA.BSP')).toBe('maria.bsp');
    expect(normalDomain('\u212aÄÉİ')).toBe('\u212aÄÉİ');
  });

  test('is the same for every way to write it, and acceptable when that way was', () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,8}[a-zA-Z0-9])?$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const domain = `${labels.join('.')}.bsp`;
        const stored = normalDomain(domain);
        expect(normalDomain(stored)).toBe(stored);
        expect(normalDomain(domain.toUpperCase())).toBe(stored);
        expect(unacceptable(stored)).toBe(unacceptable(domain));
        expect(malformed(domain)).toBeNull();
      }),
    );
  });

  test('whatever is accepted has only letters, digits, dashes and dots', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ0-._ é\u212a'), maxLength: 12 }), (text) => {
        if (unacceptable(`${text}.bsp`) === null) expect(normalDomain(text)).toMatch(/^[a-z0-9.-]+$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
