import { OneConsent } from '../one-consent.tsx';

export default async function ConsentPage({ params }: { params: Promise<{ tokenId: string }> }) {
  const { tokenId } = await params;
  return <OneConsent tokenId={tokenId} />;
}
