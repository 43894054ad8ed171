import { Icon } from '../ui/icons.tsx'
import { PageLink, toList } from '../ui/page-link.tsx'
import ui from '../ui/ui.module.css'
import { OwnTokens } from './own-tokens.tsx'
import styles from './pages.module.css'
import { RunwayTile } from './runway.tsx'

/** Daily tasks of the treasury. */
const tasks = [
  { family: 'treasury-entries', form: 'createTreasuryEntries', label: 'Add holding or payment' },
  { family: 'treasury/reconciliations', form: 'createTreasuryReconciliation', label: 'Reconcile' },
  { family: 'treasury/projections', form: 'createTreasuryProjection', label: 'Compute runway' },
] as const

/** Runway and balances of the treasury, its tasks, and tokens that may be the organization's own. */
export function TreasuryOverview() {
  return (
    <>
      <nav className={styles.actions} aria-label="Treasury tasks">
        {tasks.map(({ family, form, label }) => (
          <PageLink key={form} to={toList(family, { form })} className={ui.button}>
            <Icon name="plus" />
            {label}
          </PageLink>
        ))}
      </nav>
      <RunwayTile />
      <OwnTokens />
    </>
  )
}
