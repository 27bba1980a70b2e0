import type { Metadata } from 'next';
import { setPageStatus } from '../../../../server/http/rest/page-status.ts';
import { Breadcrumbs } from '../../../_ui/breadcrumbs.tsx';
import { publicMetadata } from '../../../_ui/page-metadata.ts';
import { Unknown } from '../../unknown.tsx';
import { GuideText } from '../guide-text.tsx';
import { GUIDES } from '../guides.ts';

type GuidePageProps = { params: Promise<{ guide: string }> };

const find = (slug: string) => GUIDES.find((guide) => guide.slug === slug);

export async function generateMetadata({ params }: GuidePageProps): Promise<Metadata> {
  const guide = find((await params).guide);
  return guide ? publicMetadata(guide.name, `${guide.name}: a guide for integrators.`) : {};
}

/** A document of the repository. */
export default async function GuidePage({ params }: GuidePageProps) {
  const guide = find((await params).guide);
  if (!guide) {
    setPageStatus(404);
    return <Unknown title="There is no such guide" list="API reference" href="/developers#guides" />;
  }
  return (
    <div className="max-w-prose">
      <Breadcrumbs label="You are here" trail={[{ name: 'API reference', href: '/developers' }]} here={guide.name} />
      <GuideText guide={guide} />
    </div>
  );
}
