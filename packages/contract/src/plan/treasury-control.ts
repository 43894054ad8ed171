import type { Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, named, oneOf, orNull, Timestamp } from '../scalars.ts'

/** How it is known that a holding is the organization's. */
export const controlStatuses = ['PROVEN', 'ATTESTED', 'ASSERTED'] as const
export type ControlStatus = (typeof controlStatuses)[number]

export const TreasuryControl = named(
  'TreasuryControl',
  closed(
    {
      status: oneOf(
        controlStatuses,
        'PROVEN: the account signed custody evidence that is live, and its authority was read on chain; it stands for every asset of the account. ATTESTED: whoever keeps the account signed live evidence of this asset in it. ASSERTED: only this organization says so.',
      ),
      source: orNull(SourceRef),
      until: orNull(Timestamp),
    },
    {
      description:
        'How it is known that a holding is the organization’s: by the custody evidence that is live now. `source` is that evidence and `until` its end; null where nothing is signed.',
    },
  ),
)
export type TreasuryControl = Static<typeof TreasuryControl>

/** Parts of a sum by how control of them is known. */
export const ControlSplit = named(
  'TreasuryControlSplit',
  closed(
    {
      proven: AtomicAmount,
      attested: AtomicAmount,
      asserted: AtomicAmount,
      total: AtomicAmount,
    },
    {
      description:
        'A sum by the control of the holdings in it. total = proven + attested + asserted, exactly.',
    },
  ),
)
export type ControlSplit = Static<typeof ControlSplit>
