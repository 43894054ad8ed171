import { Fault } from '../ui/notice.tsx'
import { Fold } from '../ui/parts.tsx'
import styles from './pages.module.css'
import { Figure, type Picture, usePictures } from './pictures.tsx'

/** Sections of a study in reading order, with the names of their charts. */
const sections: readonly { title: string; note: string; names: RegExp }[] = [
  {
    title: 'P&L breakdown',
    note: 'HODL P&L, impermanent loss, LP fees and costs of each position',
    names: /^accounts-/,
  },
  {
    title: 'Depth and slippage',
    note: 'Depth over time, cost by trade size, liquidity by price',
    names: /^(depth-|slippage|liquidity-map)/,
  },
  { title: 'LVR', note: 'LP fees at accrual, loss versus rebalancing', names: /^fees-and-lvr/ },
  {
    title: 'Risk',
    note: 'Differences between positions, first passage',
    names: /^(paired-differences|first-passage)/,
  },
]

const headline = /^net-vs-hold/

/** Charts of a study: results over time first, the other sections closed. */
export function StudyCharts({ id }: { id: string }) {
  const pictures = usePictures('study-reports', id)
  if (pictures.error)
    return <Fault error={pictures.error} onRetry={() => void pictures.refetch()} />
  const drawn = pictures.data?.filter(({ table }) => table.rows.length > 0) ?? []
  const known = [headline, ...sections.map(({ names }) => names)]
  const others = drawn.filter(({ name }) => !known.some((names) => names.test(name)))
  return (
    <>
      <Charts pictures={drawn.filter(({ name }) => headline.test(name))} />
      {sections.map(({ title, note, names }) => {
        const shown = drawn.filter(({ name }) => names.test(name))
        return shown.length === 0 ? null : (
          <Fold key={title} title={title} note={note}>
            <Charts pictures={shown} />
          </Fold>
        )
      })}
      {others.length === 0 ? null : (
        <Fold title="More charts">
          <Charts pictures={others} />
        </Fold>
      )}
    </>
  )
}

function Charts({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null
  return (
    <div className={styles.pictures}>
      {pictures.map((picture) => (
        <Figure key={picture.name} picture={picture} />
      ))}
    </div>
  )
}
