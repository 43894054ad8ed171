/**
 * The handler of every operation that this release serves, loaded at its first request. The name of an
 * operation is the name of its file.
 */
export const handlers = {
  issueOperatingSystemOAuthToken: () =>
    import('./platform/oauth/issueOperatingSystemOAuthToken.ts'),
  getOperatingSystemOpenApi: () => import('./platform/service/getOperatingSystemOpenApi.ts'),
  getOperatingSystemStatus: () => import('./platform/service/getOperatingSystemStatus.ts'),
  getOperatingSystemWorkspace: () => import('./platform/workspace/getOperatingSystemWorkspace.ts'),
  listOperatingSystemJobs: () => import('./platform/jobs/listOperatingSystemJobs.ts'),
  listOperatingSystemArtifacts: () => import('./prove/artifacts/listOperatingSystemArtifacts.ts'),

  listDeveloperCredentials: () =>
    import('./platform/developer-credentials/listDeveloperCredentials.ts'),
  createDeveloperCredentials: () =>
    import('./platform/developer-credentials/createDeveloperCredentials.ts'),
  getDeveloperCredentials: () =>
    import('./platform/developer-credentials/getDeveloperCredentials.ts'),
  supersedeDeveloperCredentials: () =>
    import('./platform/developer-credentials/supersedeDeveloperCredentials.ts'),
  rotateDeveloperCredential: () =>
    import('./platform/developer-credentials/rotateDeveloperCredential.ts'),

  listWebhooks: () => import('./platform/webhooks/listWebhooks.ts'),
  createWebhooks: () => import('./platform/webhooks/createWebhooks.ts'),
  getWebhooks: () => import('./platform/webhooks/getWebhooks.ts'),
  supersedeWebhooks: () => import('./platform/webhooks/supersedeWebhooks.ts'),

  listOperatingSystemProviders: () =>
    import('./platform/providers/listOperatingSystemProviders.ts'),
  putOperatingSystemProvider: () => import('./platform/providers/putOperatingSystemProvider.ts'),

  listSavedPlatformProjects: () =>
    import('./intelligence/platform-projects/listSavedPlatformProjects.ts'),
  savePlatformProject: () => import('./intelligence/platform-projects/savePlatformProject.ts'),
  getSavedPlatformProject: () =>
    import('./intelligence/platform-projects/getSavedPlatformProject.ts'),
  removeSavedPlatformProject: () =>
    import('./intelligence/platform-projects/removeSavedPlatformProject.ts'),

  listStrategies: () => import('./plan/strategies/listStrategies.ts'),
  createStrategies: () => import('./plan/strategies/createStrategies.ts'),
  getStrategies: () => import('./plan/strategies/getStrategies.ts'),
  supersedeStrategies: () => import('./plan/strategies/supersedeStrategies.ts'),
  wrapLegacyStrategyDefinition: () => import('./plan/strategies/wrapLegacyStrategyDefinition.ts'),
  admitStrategyProposal: () => import('./plan/strategies/admitStrategyProposal.ts'),
  getStrategyEvidence: () => import('./plan/strategies/getStrategyEvidence.ts'),

  listStrategyPackages: () => import('./plan/strategy-packages/listStrategyPackages.ts'),
  createStrategyPackageCandidate: () =>
    import('./plan/strategy-packages/createStrategyPackageCandidate.ts'),
  getStrategyPackages: () => import('./plan/strategy-packages/getStrategyPackages.ts'),
  approveStrategyPackage: () => import('./plan/strategy-packages/approveStrategyPackage.ts'),
  seedStrategyFromApprovedPackage: () =>
    import('./plan/strategy-packages/seedStrategyFromApprovedPackage.ts'),
  revokeStrategyPackage: () => import('./plan/strategy-packages/revokeStrategyPackage.ts'),

  listScores: () => import('./intelligence/scores/listScores.ts'),
  createScores: () => import('./intelligence/scores/createScores.ts'),
  getScores: () => import('./intelligence/scores/getScores.ts'),
  activateMarketQualityScore: () => import('./intelligence/scores/activateMarketQualityScore.ts'),
  listAllocationPlans: () => import('./plan/allocation-plans/listAllocationPlans.ts'),
  createAllocationPlans: () => import('./plan/allocation-plans/createAllocationPlans.ts'),
  getAllocationPlans: () => import('./plan/allocation-plans/getAllocationPlans.ts'),

  listIncentivePrograms: () => import('./operate/incentive-programs/listIncentivePrograms.ts'),
  optimizeIncentiveProgram: () =>
    import('./operate/incentive-programs/optimizeIncentiveProgram.ts'),
  getIncentivePrograms: () => import('./operate/incentive-programs/getIncentivePrograms.ts'),
  supersedeIncentivePrograms: () =>
    import('./operate/incentive-programs/supersedeIncentivePrograms.ts'),
  getIncentiveEvidence: () => import('./operate/incentive-programs/getIncentiveEvidence.ts'),

  listVenues: () => import('./intelligence/venues/listVenues.ts'),
  createVenues: () => import('./intelligence/venues/createVenues.ts'),
  getVenues: () => import('./intelligence/venues/getVenues.ts'),
  supersedeVenues: () => import('./intelligence/venues/supersedeVenues.ts'),
  queueVenueIndex: () => import('./intelligence/venues/queueVenueIndex.ts'),
  listVenueObservations: () => import('./intelligence/venues/listVenueObservations.ts'),
  getVenueObservations: () => import('./intelligence/venues/getVenueObservations.ts'),

  listAnomalies: () => import('./intelligence/anomalies/listAnomalies.ts'),
  createAnomalies: () => import('./intelligence/anomalies/createAnomalies.ts'),
  getAnomalies: () => import('./intelligence/anomalies/getAnomalies.ts'),
  listAlertsV2: () => import('./intelligence/alerts/listAlertsV2.ts'),
  getUnifiedLiquidityMap: () => import('./intelligence/market-map/getUnifiedLiquidityMap.ts'),

  listAttributions: () => import('./intelligence/attributions/listAttributions.ts'),
  createAttributions: () => import('./intelligence/attributions/createAttributions.ts'),
  getAttributions: () => import('./intelligence/attributions/getAttributions.ts'),

  listStudies: () => import('./simulate/studies/listStudies.ts'),
  createStudies: () => import('./simulate/studies/createStudies.ts'),
  getStudies: () => import('./simulate/studies/getStudies.ts'),
  runNonCustodialSandboxStudy: () => import('./simulate/studies/runNonCustodialSandboxStudy.ts'),

  createSignedStudyReport: () => import('./simulate/study-reports/createSignedStudyReport.ts'),
  listStudyReportJobs: () => import('./simulate/study-reports/listStudyReportJobs.ts'),

  listStudyShares: () => import('./simulate/study-shares/listStudyShares.ts'),
  getStudyShares: () => import('./simulate/study-shares/getStudyShares.ts'),
  createStudyShareLink: () => import('./simulate/study-shares/createStudyShareLink.ts'),
  revokeStudyShareLink: () => import('./simulate/study-shares/revokeStudyShareLink.ts'),
  getSharedSimulationStudy: () => import('./simulate/study-shares/getSharedSimulationStudy.ts'),

  listMigrationPlans: () => import('./operate/migration-plans/listMigrationPlans.ts'),
  createMigrationPlans: () => import('./operate/migration-plans/createMigrationPlans.ts'),
  getMigrationPlans: () => import('./operate/migration-plans/getMigrationPlans.ts'),
  getMigrationPlanState: () => import('./operate/migration-plans/getMigrationPlanState.ts'),
  appendMigrationPlanTransition: () =>
    import('./operate/migration-plans/appendMigrationPlanTransition.ts'),
} as const
