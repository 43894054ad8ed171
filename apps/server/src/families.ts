import { type Family, type FoldedFamilies, foldFamilies } from './families/family.ts'

/** All families of the service by folder. Each loads with the first request for it. */
export const families: Readonly<Record<string, () => Promise<{ family: Family }>>> = {
  'intelligence/agent-runs': () => import('./families/intelligence/agent-runs/family.ts'),
  'intelligence/alerts': () => import('./families/intelligence/alerts/family.ts'),
  'intelligence/anomalies': () => import('./families/intelligence/anomalies/family.ts'),
  'intelligence/assets': () => import('./families/intelligence/assets/family.ts'),
  'intelligence/attributions': () => import('./families/intelligence/attributions/family.ts'),
  'intelligence/discovery': () => import('./families/intelligence/discovery/family.ts'),
  'intelligence/market-detection': () =>
    import('./families/intelligence/market-detection/family.ts'),
  'intelligence/market-map': () => import('./families/intelligence/market-map/family.ts'),
  'intelligence/market-points': () => import('./families/intelligence/market-points/family.ts'),
  'intelligence/platform-projects': () =>
    import('./families/intelligence/platform-projects/family.ts'),
  'intelligence/price-series': () => import('./families/intelligence/price-series/family.ts'),
  'intelligence/projects': () => import('./families/intelligence/projects/family.ts'),
  'intelligence/scores': () => import('./families/intelligence/scores/family.ts'),
  'intelligence/venue-liquidity': () => import('./families/intelligence/venue-liquidity/family.ts'),
  'intelligence/venues': () => import('./families/intelligence/venues/family.ts'),
  'intelligence/workflows': () => import('./families/intelligence/workflows/family.ts'),
  'operate/autonomy-policies': () => import('./families/operate/autonomy-policies/family.ts'),
  'operate/decision-packs': () => import('./families/operate/decision-packs/family.ts'),
  'operate/incentive-programs': () => import('./families/operate/incentive-programs/family.ts'),
  'operate/mandate-shares': () => import('./families/operate/mandate-shares/family.ts'),
  'operate/liquidity-calls': () => import('./families/operate/liquidity-calls/family.ts'),
  'operate/market-maker-mandates': () =>
    import('./families/operate/market-maker-mandates/family.ts'),
  'operate/migration-plans': () => import('./families/operate/migration-plans/family.ts'),
  'operate/proposals': () => import('./families/operate/proposals/family.ts'),
  'operate/protected-execution': () => import('./families/operate/protected-execution/family.ts'),
  'operate/treasury-reconciliations': () =>
    import('./families/operate/treasury-reconciliations/family.ts'),
  'plan/allocation-plans': () => import('./families/plan/allocation-plans/family.ts'),
  'plan/capital-requirements': () => import('./families/plan/capital-requirements/family.ts'),
  'plan/intents': () => import('./families/plan/intents/family.ts'),
  'plan/launch-plans': () => import('./families/plan/launch-plans/family.ts'),
  'plan/strategies': () => import('./families/plan/strategies/family.ts'),
  'plan/strategy-packages': () => import('./families/plan/strategy-packages/family.ts'),
  'plan/treasury-assets': () => import('./families/plan/treasury-assets/family.ts'),
  'plan/treasury-assumptions': () => import('./families/plan/treasury-assumptions/family.ts'),
  'plan/treasury-entries': () => import('./families/plan/treasury-entries/family.ts'),
  'plan/treasury-settings': () => import('./families/plan/treasury-settings/family.ts'),
  'plan/treasury-projections': () => import('./families/plan/treasury-projections/family.ts'),
  'plan/unlock-impacts': () => import('./families/plan/unlock-impacts/family.ts'),
  'platform/address-labels': () => import('./families/platform/address-labels/family.ts'),
  'platform/chain-offers': () => import('./families/platform/chain-offers/family.ts'),
  'platform/developer-credentials': () =>
    import('./families/platform/developer-credentials/family.ts'),
  'platform/events': () => import('./families/platform/events/family.ts'),
  'platform/exports': () => import('./families/platform/exports/family.ts'),
  'platform/inbox': () => import('./families/platform/inbox/family.ts'),
  'platform/jobs': () => import('./families/platform/jobs/family.ts'),
  'platform/oauth': () => import('./families/platform/oauth/family.ts'),
  'platform/offers': () => import('./families/platform/offers/family.ts'),
  'platform/partners': () => import('./families/platform/partners/family.ts'),
  'platform/providers': () => import('./families/platform/providers/family.ts'),
  'platform/records': () => import('./families/platform/records/family.ts'),
  'platform/schedules': () => import('./families/platform/schedules/family.ts'),
  'platform/service': () => import('./families/platform/service/family.ts'),
  'platform/webhooks': () => import('./families/platform/webhooks/family.ts'),
  'platform/workspace': () => import('./families/platform/workspace/family.ts'),
  'prove/artifacts': () => import('./families/prove/artifacts/family.ts'),
  'prove/proof': () => import('./families/prove/proof/family.ts'),
  'prove/passports': () => import('./families/prove/passports/family.ts'),
  'prove/project-control': () => import('./families/prove/project-control/family.ts'),
  'prove/treasury-custody': () => import('./families/prove/treasury-custody/family.ts'),
  'prove/vaults': () => import('./families/prove/vaults/family.ts'),
  'simulate/studies': () => import('./families/simulate/studies/family.ts'),
  'simulate/study-reports': () => import('./families/simulate/study-reports/family.ts'),
  'simulate/study-shares': () => import('./families/simulate/study-shares/family.ts'),
  'simulate/treasury-stress-tests': () =>
    import('./families/simulate/treasury-stress-tests/family.ts'),
}

let folded: Promise<FoldedFamilies> | null = null

/** Loads all families at once, for background work and cross-family tasks. */
export function loadFamilies(): Promise<FoldedFamilies> {
  folded ??= Promise.all(Object.values(families).map((load) => load())).then((loaded) =>
    foldFamilies(loaded.map(({ family }) => family)),
  )
  return folded
}
