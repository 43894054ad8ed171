import type { contract } from '@liquidity-os/contract'
import { exactDecimal } from '../../fields/numbers.ts'
import { Notice } from '../../ui/notice.tsx'
import { Scrolled } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { FullAddress, useNamed } from './addresses.tsx'
import type { Payment } from './call-effects.ts'
import { unmeasuredAssets } from './unmeasured-assets.ts'

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
  const missing = unmeasuredAssets(payments, effects)
  return (
    <>
      {moved.length > 0 ? (
        <Moved moved={moved} payments={payments} />
      ) : missing.length === 0 ? (
        <p>Funds moved: none.</p>
      ) : null}
      {missing.length === 0 ? null : <Unmeasured assets={missing} />}
    </>
  )
}

/** Assets that calls pay, without a change in the simulation. */
function Unmeasured({ assets }: { assets: readonly string[] }) {
  return (
    <Notice tone="warn" title="Some payments are not in the simulated balances">
      <p>The calls pay these assets, but the simulation shows no change. They can be NFTs.</p>
      <ul className={styles.plainList}>
        {assets.map((asset) => (
          <li key={asset}>
            {asset === 'native' ? 'Native coin' : <FullAddress address={asset} />}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Moved({ moved, payments }: { moved: readonly Effect[]; payments: readonly Payment[] }) {
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
