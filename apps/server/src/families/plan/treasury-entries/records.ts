import { contract } from '@liquidity-os/contract'
import type { HeldName } from '../../../family-parts.ts'
import { recordFamily } from '../../record-family.ts'
import { duplicateEntry, entryNameKinds, namesOfEntry, noticeName } from './names.ts'

interface Entry {
  readonly id: string
  readonly status: string
  readonly payload: unknown
}

const namesOf = ({ id, status, payload }: Entry): HeldName[] =>
  namesOfEntry(payload as contract.TreasuryBucket, status === 'RETIRED' || status === 'EXPIRED', id)

export const treasuryEntries = recordFamily(contract.treasuryEntriesFamily, {
  names: namesOf,
  held: (entry, events) => [
    ...namesOf(entry),
    ...events.flatMap(({ kind, payload }) =>
      kind === 'treasury.entry.coming_due'
        ? [noticeName(entry.id, `${payload.dueAt}`, Number(payload.withinDays))]
        : [],
    ),
  ],
  nameKinds: [...entryNameKinds],
  takenFailure: ({ payload }, holder) => duplicateEntry(payload.entryKind, holder),
})
