import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../test-amount.ts';
import { contactUrlProblem } from './contacts.ts';

describe('a contact of an institution', () => {
  test.each([
    'https://lab.example/',
    'HTTPS://LAB.EXAMPLE',
    'https://lab.example:8443/hooks/perpetua?tenant=a@b#part',
    'https://lab.example./',
    'https://münchen.example/straße',
    'https://localhost.example/',
    'https://notlocalhost/',
    'https://8.8.8.8/',
    'https://172.15.255.255/',
    'https://172.32.0.1/',
    'https://100.63.255.255/',
    'https://100.128.0.1/',
    'https://[2606:4700:4700::1111]/',
    `https://lab.example/${'a'.repeat(480)}`,
  ])('is a public address: %s', (url) => {
    expect(contactUrlProblem(url)).toBeNull();
  });

  test.each([
    '',
    'lab.example',
    'http://lab.example/',
    'ftp://lab.example/',
    'javascript:alert(1)',
    '//lab.example',
    'https:lab.example',
    'https:/lab.example',
    'https:///lab.example',
    'https://',
  ])('begins with https: %j', (url) => {
    expect(contactUrlProblem(url)).toBe('notHttps');
  });

  test('has at most 500 characters', () => {
    expect(contactUrlProblem(`https://lab.example/${'a'.repeat(481)}`)).toBe('tooLong');
  });

  test.each([
    'https://user:pass@lab.example',
    'https://user@lab.example',
    'https://@lab.example',
    'https://:@lab.example/',
  ])('has no credentials: %s', (url) => {
    expect(contactUrlProblem(url)).toBe('credentials');
  });

  test.each([
    ' https://lab.example',
    'https://lab.example ',
    'https://lab.example/a b',
    'https://lab\t.example',
    'https://lab.exa\nmple',
    'ht\rtps://lab.example',
    'https://lab.example/\0',
    'https://lab.example/\x7f',
    'https://lab.example/\u00a0',
    'https://local\u00adhost/',
    'https://lab.example/\u202egnp.exe',
    'https://lab.example/\ud800',
    'https://lab.example\\@127.0.0.1/',
  ])('has no invisible characters, white space or backslash: %j', (url) => {
    expect(contactUrlProblem(url)).toBe('characters');
  });

  test.each([
    'https://?',
    'https://#',
    'https://a:b',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://a%00b',
    'https://256.0.0.1/',
  ])('can be parsed: %s', (url) => {
    expect(contactUrlProblem(url)).toBe('url');
  });

  test.each(['https://lab..example/', 'https://.example/', 'https://127.0.0.1../', 'https://localhost../'])(
    'has no empty label: %s',
    (url) => {
      expect(contactUrlProblem(url)).toBe('url');
    },
  );

  test.each([
    'https://localhost',
    'https://localhost:8443/',
    'https://LocalHost/',
    'https://localhost./',
    'https://api.localhost/',
    'https://api.localhost./',
    'https://%6cocalhost/',
    'https://ⓛocalhost/',
  ])('is not the local machine: %s', (url) => {
    expect(contactUrlProblem(url)).toBe('local');
  });

  test.each([
    ['this network', '0.0.0.0'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT', '100.127.255.255'],
    ['IETF', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '[::]'],
    ['loopback', '[::1]'],
    ['IPv4-compatible', '[::127.0.0.1]'],
    ['IPv4-compatible', '[::8.8.8.8]'],
    ['IPv4-mapped', '[::ffff:127.0.0.1]'],
    ['IPv4-mapped', '[::ffff:a00:1]'],
    ['IPv4-mapped', '[::ffff:8.8.8.8]'],
    ['IPv4-translated', '[::ffff:0:127.0.0.1]'],
    ['NAT64', '[64:ff9b::127.0.0.1]'],
    ['NAT64', '[64:ff9b:1::a00:1]'],
    ['discard', '[100::1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001:0:1::1]'],
    ['ORCHID', '[2001:20::1]'],
    ['documentation', '[2001:db8::1]'],
    ['documentation', '[3fff::1]'],
    ['segment routing', '[5f00::1]'],
    ['unassigned', '[4000::1]'],
    ['unique local', '[fc00::1]'],
    ['unique local', '[fd12:3456::1]'],
    ['link-local', '[fe80::1]'],
    ['site-local', '[fec0::1]'],
    ['multicast', '[ff02::1]'],
  ])('is not a %s address: %s', (_, host) => {
    expect(contactUrlProblem(`https://${host}/`)).toBe('private');
    expect(contactUrlProblem(`https://${host}:8443`)).toBe('private');
  });

  test.each([
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '0',
    '0xa9fea9fe',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::FFFF:127.0.0.1]',
    '[0:0::0:1]',
  ])('is not a private address in another spelling: %s', (host) => {
    expect(contactUrlProblem(`https://${host}/`)).toBe('private');
  });

  test('gives the same result for every notation of an IPv4 address', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const verdict = contactUrlProblem(`https://${a}.${b}.${c}.${d}/`);
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        for (const host of [number, `0x${number.toString(16)}`, `0${a.toString(8)}.${b}.${c * 256 + d}`]) {
          expect(contactUrlProblem(`https://${host}/`)).toBe(verdict);
        }
        expect(contactUrlProblem(`https://[::ffff:${a}.${b}.${c}.${d}]/`)).toBe('private');
      }),
    );
  });

  test('never throws, and accepts only https', () => {
    const unit = fc.constantFrom(...'https://[]:.@%?#\\x0127localhost \t');
    const tail = fc.oneof(
      fc.string({ unit, maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.webAuthority(),
    );
    fc.assert(
      fc.property(tail, (rest) => {
        for (const text of [rest, `https://${rest}`]) {
          if (contactUrlProblem(text) === null) expect(new URL(text).protocol).toBe('https:');
        }
      }),
      { numRuns: amount(100, 500) },
    );
  });
});
