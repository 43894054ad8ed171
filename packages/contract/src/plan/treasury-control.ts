import type { Static } from 'typebox'
import { SourceRef } from '../envelope.ts'
import { AtomicAmount, closed, named, oneOf, orNull, Timestamp } from '../scalars.ts'

/** Evidence that a holding belongs to the organization. */
export const controlStatuses = ['PROVEN', 'ATTESTED', 'ASSERTED'] as const
export type ControlStatus = (typeof controlStatuses)[number]

export const TreasuryControl = named(
  'TreasuryControl',
  closed(
    {
      status: oneOf(
        controlStatuses,
        'PROVEN: the account signed live custody evidence and its signing authority was read on chain; this covers every asset of the account. ATTESTED: the custodian of the account signed live evidence of this asset. ASSERTED: stated only by this organization.',
      ),
      source: orNull(SourceRef),
      until: orNull(Timestamp),
    },
    {
      description:
        'Control evidence of a holding from live custody evidence. `source` is the evidence and `until` its end; null without a signature.',
    },
  ),
)
export type TreasuryControl = Static<typeof TreasuryControl>

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
