import { contract } from '@liquidity-os/contract'
import { shares } from './records.ts'
import { closeSlug } from './slug.ts'

export default shares.supersede(contract.revokeStudyShareLink, {
  to: 'REVOKED',
  admit: ({ now, fail }, { payload }) => {
    // The link can expire before the sweep marks it.
    if (Date.parse(payload.expiresAt) <= now) throw fail('LIQUIDITY_STUDY_SHARE_TERMINAL')
  },
  decide: ({ now }, { payload }) => ({
    payload,
    event: 'study_share.revoked',
    eventPayload: { studyId: payload.study.id },
    statements: () => [closeSlug(payload.slug, now)],
  }),
})
