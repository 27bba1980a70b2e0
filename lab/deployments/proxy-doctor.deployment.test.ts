import { expect, onTestFinished, test } from 'vitest';
import { dataDirectory } from '../../commands/test-data-directory.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { type Kind, startFront } from './test-front.ts';
import { doctorOf } from './test-npm.ts';

/** A proxy with the file of deploy/, perhaps with a mistake, in front of the port on which the doctor listens. */
async function behind(kind: Kind, change?: (file: string) => string) {
  const servicePort = await freePort();
  const front = await startFront(kind, { servicePort, ...(change && { change }) });
  onTestFinished(front.stop);
  const settings = {
    DATA_DIR: dataDirectory(),
    PORT: String(servicePort),
    HOST: '127.0.0.1',
    PUBLIC_URL: front.url,
    TRUST_PROXY: '1',
    NODE_EXTRA_CA_CERTS: front.authority,
  };
  return { front, servicePort, settings };
}

test.each<Kind>(['nginx', 'caddy'])(
  'the doctor finds nothing wrong behind %s, and names what settings of the service do not fit',
  async (kind) => {
    const { front, servicePort, settings } = await behind(kind);
    for (const check of ['public address', 'direct connections', 'proxy'])
      expect(await doctorOf(check, settings)).toEqual([]);

    const without = { ...settings, TRUST_PROXY: '0' };
    expect(await doctorOf('public address', without)).toEqual([
      expect.stringMatching(/^warning: .* TRUST_PROXY is 0, so all people share the rate limits/),
    ]);
    expect(await doctorOf('proxy', without)).toEqual([
      'warning: TRUST_PROXY is 0, but 1 proxy appends to X-Forwarded-For.',
    ]);

    const direct = { ...settings, PUBLIC_URL: `http://localhost:${servicePort}` };
    expect(await doctorOf('proxy', direct)).toEqual([
      'error: TRUST_PROXY is 1, but 0 proxies append to X-Forwarded-For.',
    ]);

    const redirected = { ...settings, PUBLIC_URL: `http://localhost:${front.httpPort}` };
    expect(await doctorOf('proxy', redirected)).toEqual([
      expect.stringMatching(
        /^error: PUBLIC_URL is http:\/\/localhost:\d+, but that address redirects to https:\/\/localhost/,
      ),
    ]);

    const encrypted = { ...settings, PUBLIC_URL: `https://localhost:${servicePort}` };
    expect(await doctorOf('proxy', encrypted)).toEqual([
      expect.stringMatching(/^error: No TLS connection to PUBLIC_URL can be opened \(/),
    ]);

    const plain = { ...settings, PUBLIC_URL: front.url.replace('https:', 'http:') };
    expect(await doctorOf('proxy', plain)).toEqual([
      expect.stringMatching(/^error: A request to PUBLIC_URL does not arrive at this machine \(status 400\)/),
    ]);

    const { NODE_EXTRA_CA_CERTS: _, ...untrusting } = settings;
    expect(await doctorOf('proxy', untrusting)).toEqual([
      expect.stringMatching(/^error: No TLS connection to PUBLIC_URL can be opened \(\w*(CERT|SIGN)\w*\)/),
    ]);
  },
);

const UNCHANGED = /^error: TRUST_PROXY is 1, but the proxy passes on the X-Forwarded-For of a client unchanged/;
const SMALL =
  /^warning: A body of 1024 KiB, as a batch of records may have, does not pass the proxy \(status (413|502)\)/;
const HELD = /^warning: The proxy holds responses back until they are complete/;

test.each<[string, Kind, RegExp, string, string]>([
  ['passes X-Forwarded-For on', 'nginx', UNCHANGED, '$proxy_add_x_forwarded_for', '$http_x_forwarded_for'],
  [
    'does not set X-Forwarded-For',
    'nginx',
    UNCHANGED,
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    '',
  ],
  ['has a small limit for bodies', 'nginx', SMALL, 'client_max_body_size 2m', 'client_max_body_size 512k'],
  [
    'buffers responses',
    'nginx',
    HELD,
    'proxy_buffering off;',
    'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;',
  ],
  [
    'passes X-Forwarded-For on',
    'caddy',
    UNCHANGED,
    'transport http {',
    'header_up X-Forwarded-For {http.request.header.X-Forwarded-For}\n\t\ttransport http {',
  ],
  [
    'has a small limit for bodies',
    'caddy',
    SMALL,
    'reverse_proxy',
    'request_body {\n\t\tmax_size 512KB\n\t}\n\treverse_proxy',
  ],
  ['buffers responses', 'caddy', HELD, 'transport http {', 'buffer_responses\n\t\ttransport http {'],
])('the doctor reports a proxy that %s: %s', async (_, kind, finding, from, to) => {
  const { settings } = await behind(kind, (file) => {
    expect(file).toContain(from);
    return file.replace(from, () => to);
  });
  expect(await doctorOf('proxy', settings)).toEqual([expect.stringMatching(finding)]);
});
