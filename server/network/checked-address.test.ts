import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNameServer, type TestNameServer } from '../features/events/webhooks/test-receiver.ts';
import { checkedAddresses, createResolve, isPrivateHost, NoPublicAddress, publicAddress } from './checked-address.ts';

describe('an address is public', () => {
  test.each([
    ['1.1.1.1', '1.1.1.1'],
    ['93.184.215.14', '93.184.215.14'],
    ['168.63.129.15', '168.63.129.15'],
    ['::ffff:1.1.1.1', '1.1.1.1'],
    ['::ffff:101:101', '1.1.1.1'],
    ['2606:4700:4700::1111', '2606:4700:4700::1111'],
    ['2606:4700:4700:0:0:0:0:1111', '2606:4700:4700::1111'],
  ])('%s', (text, address) => {
    expect(publicAddress(text)).toBe(address);
  });
});

/** RFC 6890 and its successors, in each form that a name server or a URL can give. */
const NOT_PUBLIC = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'the virtual host of a cloud': ['168.63.129.16', '::ffff:168.63.129.16', '::ffff:a83f:8110'],
  'protocol assignments': ['192.0.0.1', '192.0.0.170'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '192.88.99.1', '100::1', '4000::1', '5f00::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0:1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::1.1.1.1', '::101:101', '::'],
  'IPv4-translated': ['::ffff:0:7f00:1', '::ffff:0:127.0.0.1', '::ffff:0:1.1.1.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::1.1.1.1', '64:ff9b:1::1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:101:101::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  'site-local': ['fec0::1'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  'decimal, hexadecimal, octal and shortened forms': [
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
  ],
  'no address': [
    '',
    'localhost',
    '1.1.1.1.1',
    '1.1.1',
    '1.1.1.1:443',
    '[::1]',
    ' 1.1.1.1',
    '1.1.1.1/8',
    ':::',
    'fe80::1%',
  ],
};

test.each(Object.entries(NOT_PUBLIC).flatMap(([kind, texts]) => texts.map((text) => [kind, text] as const)))(
  'an address is not public: %s, %s',
  (_, text) => {
    expect(publicAddress(text)).toBe(null);
  },
);

const problemOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(NoPublicAddress);
    return (error as NoPublicAddress).problem;
  }
  return 'none';
};

describe('the addresses of a host', () => {
  const addresses = (resolved: readonly string[], hostname = 'hooks.example.org', privateAddresses = false) =>
    checkedAddresses(hostname, { privateAddresses, resolve: async () => resolved });

  test('are those of its addresses that are public', async () => {
    expect(await addresses(['10.0.0.1', '1.1.1.1', '::1', '2606:4700:4700::1111'])).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    expect(await problemOf(() => addresses(['10.0.0.1', '64:ff9b::7f00:1']))).toBe('NO_PUBLIC_ADDRESS');
    expect(await problemOf(() => addresses([]))).toBe('NO_PUBLIC_ADDRESS');
  });

  test('are checked too where an address stands for a name', async () => {
    expect(await problemOf(() => addresses(['1.1.1.1'], '127.0.0.1'))).toBe('NO_PUBLIC_ADDRESS');
    expect(await problemOf(() => addresses(['1.1.1.1'], '[::1]'))).toBe('NO_PUBLIC_ADDRESS');
    expect(await problemOf(() => addresses(['1.1.1.1'], '168.63.129.16'))).toBe('NO_PUBLIC_ADDRESS');
    expect(await addresses([], '1.0.0.1')).toEqual([{ address: '1.0.0.1', family: 4 }]);
  });

  test('may be private only if the operator allows it', async () => {
    expect(await addresses(['127.0.0.1'], undefined, true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });
});

describe('a name server', () => {
  let nameServer: TestNameServer;

  beforeAll(async () => {
    nameServer = await startNameServer((name) => (name === 'hooks.example.org' ? ['1.1.1.1', '10.0.0.1'] : []));
  });

  afterAll(() => nameServer.stop());

  test('is asked for the addresses of a name, of which only the public ones are used', async () => {
    const resolve = createResolve([nameServer.address]);
    expect(await resolve('hooks.example.org')).toEqual(['1.1.1.1', '10.0.0.1']);
    expect(await checkedAddresses('hooks.example.org', { privateAddresses: false, resolve })).toEqual([
      { address: '1.1.1.1', family: 4 },
    ]);
    expect(await problemOf(() => checkedAddresses('other.example.org', { privateAddresses: false, resolve }))).toBe(
      'NO_PUBLIC_ADDRESS',
    );
  });

  test('is not asked for localhost, which is not public', async () => {
    const resolve = createResolve([nameServer.address]);
    expect(await problemOf(() => checkedAddresses('localhost', { privateAddresses: false, resolve }))).toBe(
      'NO_PUBLIC_ADDRESS',
    );
  });
});

test('a host is private if one of its addresses is', async () => {
  const hosts = ['localhost', '127.0.0.1', '[::1]', '10.1.2.3', '1.1.1.1', '[2606:4700:4700::1111]'];
  expect(await Promise.all(hosts.map(isPrivateHost))).toEqual([true, true, true, true, false, false]);
});
