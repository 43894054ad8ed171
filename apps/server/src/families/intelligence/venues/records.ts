import { contract } from '@liquidity-os/contract'
import { fillSpans, observationIds } from '../../../market/span-rows.ts'
import { venueKind, venueName } from '../../../market/venue-name.ts'
import { sql } from '../../../store/database/sql.ts'
import { recordFamily } from '../../record-family.ts'

export const venues = recordFamily(contract.venueFamily, {
  // Revoking a venue frees its market for another profile.
  names: ({ status, payload }) => (status === 'REVOKED' ? [] : [venueName(payload)]),
  nameKinds: [venueKind],
  taken: (holder) => ({ 'payload.address': [`must not be an existing venue, got ${holder}`] }),
})

export const observations = recordFamily(contract.venueObservationFamily, {
  bySubject: {
    find: async ({ id, records }) => {
      await fillSpans(records)
      return sql`h.id in (${observationIds(records.organizationId, id)})`
    },
  },
})
