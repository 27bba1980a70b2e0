'use client';

import { useHolder } from '../../dashboard/current.tsx';

export default function OverviewPage() {
  const { view } = useHolder();
  return <h1 className="text-2xl">{view.domain}</h1>;
}
