import type { Metadata } from 'next';
import { OneConsent } from '../../../../consents/one-consent.tsx';
import { translator } from '../../../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('consents');
  return { title: t('oneTitle') };
}

export default async function ConsentPage({ params }: { params: Promise<{ tokenId: string }> }) {
  const { tokenId } = await params;
  return <OneConsent tokenId={tokenId} />;
}
