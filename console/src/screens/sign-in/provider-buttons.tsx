import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loaded beside the form, which works without it. */
export function ProviderButtons() {
  const [Providers, setProviders] = useState<ComponentType>();
  useEffect(() => {
    void import('./providers.js').then((loaded) => setProviders(() => loaded.default));
  }, []);
  return Providers ? <Providers /> : null;
}
