import type { contract } from '@liquidity-os/contract'
import { exactDecimal } from '../../fields/numbers.ts'
import { Scrolled } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { FullAddress, useNamed } from './addresses.tsx'
import type { Payment } from './call-effects.ts'

type Effect = NonNullable<contract.ProposalSimulation['effects']>[number]

const columns = ['Asset', 'Out', 'In', 'To', 'As expected']

/** Simulated changes of the balances of the Safe, and who receives them. */
export function Funds({
  simulation: { effects },
  payments,
}: {
  simulation: contract.ProposalSimulation
  payments: readonly Payment[]
}) {
  if (effects === null) return <p>Funds moved: unknown, because the simulation is incomplete.</p>
  const moved = effects.filter(({ delta }) => delta !== '0')
  if (moved.length === 0) return <p>Funds moved: none.</p>
  return (
    <Scrolled label="Balance changes of the Safe">
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {moved.map((effect) => (
            <FundsRow key={effect.asset} effect={effect} payments={payments} />
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function FundsRow({
  effect: { asset: key, delta, isWithin },
  payments,
}: {
  effect: Effect
  payments: readonly Payment[]
}) {
  const { assetOf } = useNamed()
  const asset = assetOf(key)
  const isOut = delta.startsWith('-')
  const size = BigInt(delta.replace('-', ''))
  const amount = `${exactDecimal(size, asset?.decimals ?? 0)} ${asset?.symbol ?? 'smallest units'}`
  const receivers = [
    ...new Set(
      payments
        .filter((payment) => payment.asset.toLowerCase() === key.toLowerCase())
        .map(({ to }) => to),
    ),
  ]
  return (
    <tr>
      <th scope="row">{asset?.symbol ?? <FullAddress address={key} />}</th>
      <td data-label="Out" className={styles.figure}>
        {isOut ? amount : '—'}
      </td>
      <td data-label="In" className={styles.figure}>
        {isOut ? '—' : amount}
      </td>
      <td data-label="To">
        {isOut
          ? receivers.length === 0
            ? 'the called contracts'
            : receivers.map((address) => <FullAddress key={address} address={address} />)
          : 'this Safe'}
      </td>
      <td data-label="As expected">
        {isWithin === null ? 'not declared' : isWithin ? 'yes' : 'no'}
      </td>
    </tr>
  )
}
