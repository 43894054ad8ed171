import type { contract } from '@liquidity-os/contract'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import type { LiveCustody } from '../../prove/treasury-custody/api.ts'

type Control = contract.TreasuryControl
type Split = contract.ControlSplit

export type Held = Pick<contract.TreasuryHolding, 'asset' | 'container'>

/**
 * Control status of a holding from live evidence. A signature of an account proves control of all
 * its assets and positions. A custodian attests only the assets named in the evidence. An account
 * at a market maker is controlled by the market maker.
 *
 * @param custody live evidence; see `liveCustody`
 */
export function controlOf({ asset, container }: Held, custody: readonly LiveCustody[]): Control {
  const place = containerKeyOf(container)
  const here = custody.filter((one) => one.container === place)
  const isOwn = ({ authority }: LiveCustody) =>
    authority !== 'CUSTODIAN' && container.kind !== 'MARKET_MAKER_ACCOUNT'
  const proof = lastToEnd(here.filter(isOwn))
  if (proof) return byEvidence('PROVEN', proof)
  const word = here.find(({ assetKey }) => assetKey === asset)
  return word ? byEvidence('ATTESTED', word) : { status: 'ASSERTED', source: null, until: null }
}

/** True if evidence beyond the organization's own statement supports a holding. */
export const isControlled = ({ status }: Control): boolean => status !== 'ASSERTED'

const byEvidence = (
  status: contract.ControlStatus,
  { evidence, expiresAt }: LiveCustody,
): Control => ({ status, source: evidence, until: new Date(expiresAt).toISOString() })

function lastToEnd(some: readonly LiveCustody[]): LiveCustody | null {
  const [first, ...rest] = some
  if (!first) return null
  return rest.reduce((last, one) => (one.expiresAt > last.expiresAt ? one : last), first)
}

/** Splits a sum by control status. The parts add up exactly. */
export function splitByControl(
  some: readonly { readonly amount: bigint; readonly control: Pick<Control, 'status'> }[],
): Split {
  const sumOf = (status: contract.ControlStatus | null) =>
    some
      .filter(({ control }) => status === null || control.status === status)
      .reduce((sum, { amount }) => sum + amount, 0n)
      .toString()
  return {
    proven: sumOf('PROVEN'),
    attested: sumOf('ATTESTED'),
    asserted: sumOf('ASSERTED'),
    total: sumOf(null),
  }
}

/** Gap for a self-reported holding. It is listed, but headline figures exclude it. */
export const unprovenGap = (subject: string): contract.TreasuryGap => ({
  code: 'CONTROL_UNPROVEN',
  subject,
  effect: 'FLAGGED',
  detail:
    'No live custody evidence shows that the account belongs to the organization. Totals count it as asserted. Headline runway, gates and passports exclude it.',
})
