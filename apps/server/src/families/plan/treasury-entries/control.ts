import type { contract } from '@liquidity-os/contract'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import type { LiveCustody } from '../../prove/treasury-custody/api.ts'

type Control = contract.TreasuryControl
type Split = contract.ControlSplit

/** What is held, and where. */
export type Held = Pick<contract.TreasuryHolding, 'asset' | 'container'>

/**
 * How it is known that a holding is the organization's, by the evidence that is live now. Control is of an account, so what
 * an account signed stands for every asset in it, and a position goes with the account that owns it. Whoever else keeps an
 * account speaks of the assets that the evidence names and of no others; a market maker's account is kept by the maker.
 *
 * @param custody what is live now; see `liveCustody`
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

/** Whether more than the word of the organization stands behind a holding. */
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

/** Sums amounts by the control of what they are of; the parts come to the total exactly. */
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

/** What is told of a holding that only the organization says is its own: it is counted, and no headline counts it. */
export const unprovenGap = (subject: string): contract.TreasuryGap => ({
  code: 'CONTROL_UNPROVEN',
  subject,
  effect: 'FLAGGED',
  detail:
    'No custody evidence that is live shows that the account is this organization’s: totals count it as asserted, and no headline runway, gate or passport counts it.',
})
