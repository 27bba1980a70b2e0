import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainProblem, domainSyntaxProblem, normalDomain } from './domains.ts';
import { amount } from './test-amount.ts';

const malformed = (domain: string, suffix = 'bsp') => domainSyntaxProblem(domain, suffix)?.code ?? null;
const problem = (domain: string, suffix = 'bsp') => domainProblem(domain, suffix)?.code ?? null;
const long = (length: number): string => `${'a'.repeat(length - 4)}.bsp`;

describe('a valid domain', () => {
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
    expect(problem(domain)).toBeNull();
  });

  test('ends with the suffix of the service', () => {
    expect(problem('maria.id.example', 'id.example')).toBeNull();
    expect(malformed('maria.bsp', 'id.example')).toBe('DOMAIN_INVALID');
  });
});

describe('an invalid domain', () => {
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
    expect(problem(domain)).toBe('DOMAIN_INVALID');
  });

  test('a label has at most 63 characters, a domain at most 64', () => {
    expect(problem(long(64))).toBeNull();
    expect(problem(long(65))).toBe('DOMAIN_INVALID');
    expect(problem(`${'a'.repeat(63)}.x`, 'x')).toBe('DOMAIN_INVALID');
    expect(problem(`${'a.'.repeat(30)}bsp`)).toBeNull();
    expect(problem(`${'a.'.repeat(31)}bsp`)).toBe('DOMAIN_INVALID');
  });
});

describe('a reserved word', () => {
  test.each(['bsp', 'institute', 'registry', 'admin', 'root'])(
    '%s is rejected in any part of a new domain, but can be looked up',
    (word) => {
      for (const domain of [`${word}.bsp`, `${word.toUpperCase()}.bsp`, `maria.${word}.bsp`, `${word}.maria.bsp`]) {
        expect(problem(domain)).toBe('DOMAIN_RESERVED');
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

  test('does not depend on case, and is valid if the original is', () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,8}[a-zA-Z0-9])?$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const domain = `${labels.join('.')}.bsp`;
        const stored = normalDomain(domain);
        expect(normalDomain(stored)).toBe(stored);
        expect(normalDomain(domain.toUpperCase())).toBe(stored);
        expect(problem(stored)).toBe(problem(domain));
        expect(malformed(domain)).toBeNull();
      }),
    );
  });

  test('a valid domain has only letters, digits, dashes and dots', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ0-._ é\u212a'), maxLength: 12 }), (text) => {
        if (problem(`${text}.bsp`) === null) expect(normalDomain(text)).toMatch(/^[a-z0-9.-]+$/);
      }),
      { numRuns: amount(400, 2_000) },
    );
  });
});
