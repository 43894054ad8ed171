/**
 * The handler of every operation that this release serves, loaded at its first request. The name of an
 * operation is the name of its file.
 */
export const handlers = {
  issueOperatingSystemOAuthToken: () =>
    import('./families/platform/oauth/issueOperatingSystemOAuthToken.ts'),
  getOperatingSystemOpenApi: () =>
    import('./families/platform/service/getOperatingSystemOpenApi.ts'),
  getOperatingSystemStatus: () => import('./families/platform/service/getOperatingSystemStatus.ts'),
  getOperatingSystemWorkspace: () =>
    import('./families/platform/workspace/getOperatingSystemWorkspace.ts'),
  listOperatingSystemJobs: () => import('./families/platform/jobs/listOperatingSystemJobs.ts'),
  listOperatingSystemArtifacts: () =>
    import('./families/prove/artifacts/listOperatingSystemArtifacts.ts'),

  listDeveloperCredentials: () =>
    import('./families/platform/developer-credentials/listDeveloperCredentials.ts'),
  createDeveloperCredentials: () =>
    import('./families/platform/developer-credentials/createDeveloperCredentials.ts'),
  getDeveloperCredentials: () =>
    import('./families/platform/developer-credentials/getDeveloperCredentials.ts'),
  supersedeDeveloperCredentials: () =>
    import('./families/platform/developer-credentials/supersedeDeveloperCredentials.ts'),
  rotateDeveloperCredential: () =>
    import('./families/platform/developer-credentials/rotateDeveloperCredential.ts'),

  listWebhooks: () => import('./families/platform/webhooks/listWebhooks.ts'),
  createWebhooks: () => import('./families/platform/webhooks/createWebhooks.ts'),
  getWebhooks: () => import('./families/platform/webhooks/getWebhooks.ts'),
  supersedeWebhooks: () => import('./families/platform/webhooks/supersedeWebhooks.ts'),

  listOperatingSystemProviders: () =>
    import('./families/platform/providers/listOperatingSystemProviders.ts'),
  putOperatingSystemProvider: () =>
    import('./families/platform/providers/putOperatingSystemProvider.ts'),

  listSavedPlatformProjects: () =>
    import('./families/intelligence/platform-projects/listSavedPlatformProjects.ts'),
  savePlatformProject: () =>
    import('./families/intelligence/platform-projects/savePlatformProject.ts'),
  getSavedPlatformProject: () =>
    import('./families/intelligence/platform-projects/getSavedPlatformProject.ts'),
  removeSavedPlatformProject: () =>
    import('./families/intelligence/platform-projects/removeSavedPlatformProject.ts'),

  listStrategies: () => import('./families/plan/strategies/listStrategies.ts'),
  createStrategies: () => import('./families/plan/strategies/createStrategies.ts'),
  getStrategies: () => import('./families/plan/strategies/getStrategies.ts'),
  supersedeStrategies: () => import('./families/plan/strategies/supersedeStrategies.ts'),
  wrapLegacyStrategyDefinition: () =>
    import('./families/plan/strategies/wrapLegacyStrategyDefinition.ts'),
  admitStrategyProposal: () => import('./families/plan/strategies/admitStrategyProposal.ts'),
  getStrategyEvidence: () => import('./families/plan/strategies/getStrategyEvidence.ts'),

  listStrategyPackages: () => import('./families/plan/strategy-packages/listStrategyPackages.ts'),
  createStrategyPackageCandidate: () =>
    import('./families/plan/strategy-packages/createStrategyPackageCandidate.ts'),
  getStrategyPackages: () => import('./families/plan/strategy-packages/getStrategyPackages.ts'),
  approveStrategyPackage: () =>
    import('./families/plan/strategy-packages/approveStrategyPackage.ts'),
  seedStrategyFromApprovedPackage: () =>
    import('./families/plan/strategy-packages/seedStrategyFromApprovedPackage.ts'),
  revokeStrategyPackage: () => import('./families/plan/strategy-packages/revokeStrategyPackage.ts'),

  listScores: () => import('./families/intelligence/scores/listScores.ts'),
  createScores: () => import('./families/intelligence/scores/createScores.ts'),
  getScores: () => import('./families/intelligence/scores/getScores.ts'),
  activateMarketQualityScore: () =>
    import('./families/intelligence/scores/activateMarketQualityScore.ts'),
  listAllocationPlans: () => import('./families/plan/allocation-plans/listAllocationPlans.ts'),
  createAllocationPlans: () => import('./families/plan/allocation-plans/createAllocationPlans.ts'),
  getAllocationPlans: () => import('./families/plan/allocation-plans/getAllocationPlans.ts'),

  listIncentivePrograms: () =>
    import('./families/operate/incentive-programs/listIncentivePrograms.ts'),
  optimizeIncentiveProgram: () =>
    import('./families/operate/incentive-programs/optimizeIncentiveProgram.ts'),
  getIncentivePrograms: () =>
    import('./families/operate/incentive-programs/getIncentivePrograms.ts'),
  supersedeIncentivePrograms: () =>
    import('./families/operate/incentive-programs/supersedeIncentivePrograms.ts'),
  getIncentiveEvidence: () =>
    import('./families/operate/incentive-programs/getIncentiveEvidence.ts'),

  listVenues: () => import('./families/intelligence/venues/listVenues.ts'),
  createVenues: () => import('./families/intelligence/venues/createVenues.ts'),
  getVenues: () => import('./families/intelligence/venues/getVenues.ts'),
  supersedeVenues: () => import('./families/intelligence/venues/supersedeVenues.ts'),
  queueVenueIndex: () => import('./families/intelligence/venues/queueVenueIndex.ts'),
  listVenueObservations: () => import('./families/intelligence/venues/listVenueObservations.ts'),
  getVenueObservations: () => import('./families/intelligence/venues/getVenueObservations.ts'),

  listAnomalies: () => import('./families/intelligence/anomalies/listAnomalies.ts'),
  createAnomalies: () => import('./families/intelligence/anomalies/createAnomalies.ts'),
  getAnomalies: () => import('./families/intelligence/anomalies/getAnomalies.ts'),
  listAlertsV2: () => import('./families/intelligence/alerts/listAlertsV2.ts'),
  getUnifiedLiquidityMap: () =>
    import('./families/intelligence/market-map/getUnifiedLiquidityMap.ts'),

  listAttributions: () => import('./families/intelligence/attributions/listAttributions.ts'),
  createAttributions: () => import('./families/intelligence/attributions/createAttributions.ts'),
  getAttributions: () => import('./families/intelligence/attributions/getAttributions.ts'),

  listStudies: () => import('./families/simulate/studies/listStudies.ts'),
  createStudies: () => import('./families/simulate/studies/createStudies.ts'),
  getStudies: () => import('./families/simulate/studies/getStudies.ts'),
  runNonCustodialSandboxStudy: () =>
    import('./families/simulate/studies/runNonCustodialSandboxStudy.ts'),

  createSignedStudyReport: () =>
    import('./families/simulate/study-reports/createSignedStudyReport.ts'),
  listStudyReportJobs: () => import('./families/simulate/study-reports/listStudyReportJobs.ts'),

  listStudyShares: () => import('./families/simulate/study-shares/listStudyShares.ts'),
  getStudyShares: () => import('./families/simulate/study-shares/getStudyShares.ts'),
  createStudyShareLink: () => import('./families/simulate/study-shares/createStudyShareLink.ts'),
  revokeStudyShareLink: () => import('./families/simulate/study-shares/revokeStudyShareLink.ts'),
  getSharedSimulationStudy: () =>
    import('./families/simulate/study-shares/getSharedSimulationStudy.ts'),

  listMigrationPlans: () => import('./families/operate/migration-plans/listMigrationPlans.ts'),
  createMigrationPlans: () => import('./families/operate/migration-plans/createMigrationPlans.ts'),
  getMigrationPlans: () => import('./families/operate/migration-plans/getMigrationPlans.ts'),
  getMigrationPlanState: () =>
    import('./families/operate/migration-plans/getMigrationPlanState.ts'),
  appendMigrationPlanTransition: () =>
    import('./families/operate/migration-plans/appendMigrationPlanTransition.ts'),
} as const
