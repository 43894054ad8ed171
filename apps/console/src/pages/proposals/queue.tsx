import type { contract } from '@liquidity-os/contract'
import type { Item } from '../../api/records.ts'
import { recordTarget } from '../../declared/pages.ts'
import { shortFigure } from '../../fields/figures.ts'
import { shortAddress } from '../../fields/numbers.ts'
import { CompareBox } from '../../ui/compare-box.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Scrolled } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import type { RowsProps } from '../rows.ts'
import { useChainAssets } from './addresses.tsx'
import { type DecodedCall, effectsOf } from './call-effects.ts'
import { policyResult } from './policy-result.ts'
import { dayText } from './proposal-words.ts'
import { unmeasuredAssets } from './unmeasured-assets.ts'

type Proposal = contract.ProposalWorkspace

const columns = ['What', 'Funds out', 'Approvals', 'Policy', 'Expires']

/** Proposals by what a reviewer decides on. */
export function ProposalQueue({ file, items, chosen, onChoose }: RowsProps) {
  return (
    <Scrolled label="Proposals">
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
          {items.map((item) => (
            <QueueRow
              key={item.id}
              file={file}
              item={item}
              isChosen={chosen.includes(String(item.id))}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function QueueRow({
  file,
  item,
  isChosen,
  onChoose,
}: Pick<RowsProps, 'file' | 'onChoose'> & { item: Item; isChosen: boolean }) {
  const proposal = item.payload as Proposal
  const { title, phase, approvalCount, review, packets } = proposal
  const id = String(item.id)
  return (
    <tr>
      <th scope="row">
        <CompareBox name={`${title}, ${id}`} isChosen={isChosen} onChoose={() => onChoose(id)} />
        <PageLink to={recordTarget(file.entry, id)}>{title}</PageLink> <State of={phase} />
      </th>
      <td data-label="Funds out">
        <FundsOut proposal={proposal} />
      </td>
      <td data-label="Approvals">
        {approvalCount} of {review.required}
      </td>
      <td data-label="Policy">{policyResult(packets)?.short ?? 'No policy'}</td>
      <td data-label="Expires">{dayText(review.expiresAt)}</td>
    </tr>
  )
}

const unmeasuredNote = 'payments that the simulation does not show'

function FundsOut({
  proposal: {
    simulation: { effects },
    action,
    packets,
    baselineControl,
  },
}: {
  proposal: Proposal
}) {
  const assetOf = useChainAssets(action.chainId)
  if (effects === null) return <>unknown</>
  const calls = packets.flatMap(({ decodedCalls }) => decodedCalls as unknown as DecodedCall[])
  const described = effectsOf(calls, {
    safe: action.safeAddress,
    control: baselineControl,
    assetOf,
  })
  const missing = unmeasuredAssets(
    described.flatMap(({ payments }) => payments),
    effects,
  )
  const out = effects.filter(({ delta }) => delta.startsWith('-'))
  if (out.length === 0) return <>{missing.length === 0 ? 'none' : unmeasuredNote}</>
  return (
    <>
      {out
        .map(({ asset: key, delta }) => {
          const asset = assetOf(key)
          const size = BigInt(delta.slice(1))
          return asset
            ? `${shortFigure(size, asset.decimals)} ${asset.symbol}`
            : `${shortFigure(size, 0)} smallest units of ${shortAddress(key)}`
        })
        .concat(missing.length === 0 ? [] : [unmeasuredNote])
        .join(', ')}
    </>
  )
}
