/** The example of README.md, which the tests run, for this service. */
export const byHand = (url: string): string => `import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const url = process.env.PERPETUA_URL ?? '${url}';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');

const { ledger_id: ledgerId } = await (await fetch(\`\${url}/api/ledger\`)).json();
const fields = { domain: \`river-\${Date.now()}.bsp\`, publicKey: key, recovery: null };
const request = { ...fields, ledgerId, nonce: randomUUID(), timestamp: new Date().toISOString() };
const message = { function: 'createBEO', ...request };
const canonical = JSON.stringify(message, Object.keys(message).sort());
const signature = sign(null, Buffer.from(canonical), privateKey).toString('base64');

const body = JSON.stringify({ ...request, signature });
const headers = { 'content-type': 'application/json' };
const response = await fetch(\`\${url}/api/relayer/beo\`, { method: 'POST', headers, body });
console.log(response.status, await response.json());
`;
