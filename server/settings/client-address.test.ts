import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientAddress, limitNetworks, limitSubject, networkOf } from './client-address.ts';

const PROXY = '10.0.0.1';
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const header = fc.oneof(
  fc.string(),
  fc.array(fc.oneof(address, fc.string({ maxLength: 8 }))).map((all) => all.join(', ')),
);

function behind(trustProxy: number, forwardedFor: string | undefined, socketAddress: string | undefined = PROXY) {
  return clientAddress({ socketAddress, forwardedFor, trustProxy });
}

describe('the address of a client', () => {
  test('is the socket’s peer if no proxy is trusted, whatever the header contains', () => {
    fc.assert(
      fc.property(address, header, (socketAddress, forwardedFor) => {
        expect(behind(0, forwardedFor, socketAddress)).toBe(behind(0, undefined, socketAddress));
      }),
    );
  });

  test('is the peer of the outermost trusted proxy, whatever a client writes before it', () => {
    fc.assert(
      fc.property(fc.array(fc.ipV4(), { minLength: 1, maxLength: 5 }), header, (appended, prepended) => {
        const honest = appended.join(', ');
        expect(behind(appended.length, honest)).toBe(appended[0]);
        expect(behind(appended.length, `${prepended}, ${honest}`)).toBe(appended[0]);
        expect(behind(appended.length, `${prepended},${honest}`)).toBe(appended[0]);
      }),
    );
  });

  test('counts hops from the right', () => {
    const chain = '203.0.113.9, 198.51.100.7, 192.0.2.5';
    expect(behind(1, chain)).toBe('192.0.2.5');
    expect(behind(2, chain)).toBe('198.51.100.7');
    expect(behind(3, chain)).toBe('203.0.113.9');
  });

  test('is the nearest hop if there are fewer entries than trusted proxies', () => {
    expect(behind(2, '192.0.2.5')).toBe('192.0.2.5');
    expect(behind(2, undefined)).toBe(PROXY);
    expect(behind(2, '')).toBe(PROXY);
  });

  test.each([
    'unknown',
    '',
    ' ',
    '192.0.2',
    '192.0.2.256',
    '0x7f.1',
    '010.0.0.1',
    '3221225985',
    '[2001:db8::1',
    '2001:db8::1]',
    '2001:db8:::1',
    '192.0.2.5 203.0.113.9',
    '192.0.2.5\u0000',
    'localhost',
  ])('is the proxy’s if the proxy wrote %j instead of an address', (entry) => {
    expect(behind(1, `203.0.113.9,${entry}`)).toBe(PROXY);
    expect(behind(2, `203.0.113.9,${entry}`)).toBe(PROXY);
  });

  test.each([
    ['192.0.2.5:4711', '192.0.2.5'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:192.0.2.5', '192.0.2.5'],
    ['::FFFF:c000:205', '192.0.2.5'],
    ['fe80::1%eth0.100', 'fe80::1'],
    ['\t192.0.2.5 ', '192.0.2.5'],
  ])('has one spelling: %s is %s', (written, expected) => {
    expect(behind(1, written)).toBe(expected);
  });

  test('of a socket is normalized too, and unknown once the socket is closed', () => {
    expect(behind(0, undefined, '::ffff:192.0.2.5')).toBe('192.0.2.5');
    expect(behind(0, undefined, 'fe80::1%eth0')).toBe('fe80::1');
    expect(clientAddress({ socketAddress: undefined, forwardedFor: undefined, trustProxy: 0 })).toBe('unknown');
    expect(clientAddress({ socketAddress: undefined, forwardedFor: '192.0.2.5', trustProxy: 1 })).toBe('192.0.2.5');
  });

  test('never throws and is always an address it would itself accept', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), address), header, fc.nat(16), (socketAddress, forwardedFor, trustProxy) => {
        const found = behind(trustProxy, forwardedFor, socketAddress);
        expect(behind(0, undefined, found)).toBe(found);
        expect(limitSubject(found)).not.toBe('');
      }),
    );
  });
});

test('a network has one spelling, whatever the spelling of the address', () => {
  const lengths = { ipv4: 24, ipv6: 48 };
  for (const address of ['192.0.2.5', '192.0.2.250', '::ffff:192.0.2.9']) {
    expect(networkOf(address, lengths)).toBe('192.0.2.0/24');
  }
  for (const address of ['2001:db8:7::1', '2001:DB8:7:ffff:1:2:3:4', '2001:db8:7:8::%eth0']) {
    expect(networkOf(address, lengths)).toBe('2001:db8:7::/48');
  }
  expect(networkOf('192.0.2.5', { ipv4: 16, ipv6: 32 })).toBe('192.0.0.0/16');
  expect(networkOf('2001:db8:7::1', { ipv4: 16, ipv6: 32 })).toBe('2001:db8::/32');
  expect(networkOf('unknown', lengths)).toBe('unknown');
});

test('an IPv6 address is counted in its /64, /56 and /48, any other client in one name', () => {
  expect(limitNetworks('2001:db8:7:12ab:1:2:3:4')).toEqual([
    '2001:db8:7:12ab::/64',
    '2001:db8:7:1200::/56',
    '2001:db8:7::/48',
  ]);
  expect(limitNetworks('2001:db8::1')?.[0]).toBe(limitSubject('2001:db8::1'));
  for (const address of ['192.0.2.5', '::ffff:192.0.2.5', 'unknown', '10.0.0'])
    expect(limitNetworks(address)).toBe(null);
});

describe('the limiter subject of an address', () => {
  test('is an IPv4 address itself, an IPv6 address by its /64', () => {
    expect(limitSubject('192.0.2.5')).toBe('192.0.2.5');
    expect(limitSubject('::ffff:192.0.2.5')).toBe('192.0.2.5');
    expect(limitSubject('2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:0:1::/64');
    expect(limitSubject('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
    expect(limitSubject('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64');
    expect(limitSubject('fe80::1%eth0')).toBe(limitSubject('fe80::2%eth1'));
  });

  test('is the same for everything that is not an address', () => {
    expect(limitSubject('unknown')).toBe('unknown');
    expect(limitSubject('10.0.0')).toBe('unknown');
  });

  test('does not depend on the last 64 bits', () => {
    const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        const of = (host: number[]) => limitSubject([...network, ...host].map((part) => part.toString(16)).join(':'));
        fc.pre(network.some((part) => part !== 0));
        expect(of(one)).toBe(of(other));
      }),
    );
  });
});
