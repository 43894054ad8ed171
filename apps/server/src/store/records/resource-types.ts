/** Every kind of versioned record, and the prefix of its ids. */
export const idPrefixes = {
  DeveloperCredential: 'credential',
  Webhook: 'webhook',
  Provider: 'provider',
  PlatformProject: 'platform_project',
  VenueProfile: 'venue',
  VenueObservation: 'venue_observation',
  ExecutionAttribution: 'attribution',
  SimulationStudy: 'study',
  StudyShare: 'study_share',
  StrategyDefinitionV2: 'strategy',
  StrategyPackage: 'strategy_package',
  MarketQualityScore: 'score',
  AllocationPlan: 'allocation_plan',
  MigrationPlan: 'migration_plan',
  // Not served yet; a migration looks for the packet that approves it.
  ProposalWorkspace: 'proposal',
  LiquidityAnomaly: 'anomaly',
  IncentiveProgram: 'incentive_program',
} as const
export type ResourceType = keyof typeof idPrefixes

/**
 * Ids of one kind, as a half-open range: a prefix and 32 hex digits, so that `venue_…` does not take in
 * `venue_observation_…`.
 */
export function idRange(type: ResourceType): { from: string; to: string } {
  return { from: `${idPrefixes[type]}_0`, to: `${idPrefixes[type]}_g` }
}

/** Whether an id has the form of this kind. */
export function isIdOf(type: ResourceType, id: string): boolean {
  const prefix = `${idPrefixes[type]}_`
  return id.startsWith(prefix) && /^[0-9a-f]{32}$/.test(id.slice(prefix.length))
}
