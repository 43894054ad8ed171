/** Operations that the panels of a page offer. They have no button and no form of their own there. */
export const panelOperations: ReadonlySet<string> = new Set([
  'createDeveloperCredentials',
  'createSignedStudyReport',
  'createStudyShareLink',
  'createMandateShareLink',
  'ingestMarketMakerEvidence',
  'appendProposalComment',
  'decideProposal',
  'probeProvider',
  'proposeToSafe',
  'registerProposalSafeSubmission',
])
