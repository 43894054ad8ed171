import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Place, workspaceQuery } from '../api/queries.ts'
import { families, index, permits } from '../declared/families.ts'
import { Icon } from '../ui/icons.tsx'
import styles from './shell.module.css'

/** Tasks by group: only families that the service offers and the role can read. */
export function Groups({ place }: { place: Place }) {
  const { data: workspace } = useQuery(workspaceQuery(place.organizationId))
  const home = `/o/${place.organizationId}`
  return (
    <>
      <ul className={styles.top}>
        <li>
          <Link to={home as never} activeOptions={{ exact: true }}>
            <Icon name="house" />
            Home
          </Link>
        </li>
      </ul>
      {index.groups.map((group) => {
        const tasks = families.filter(
          (one) => one.group === group && one.isListed && permits(place.role, one.permission),
        )
        return tasks.length === 0 ? null : (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {group === 'Settings' ? (
                <li>
                  <Link to={`${home}/set-up` as never}>
                    <Icon name="plus" />
                    Market setup
                  </Link>
                </li>
              ) : null}
              {group === 'Plan' ? (
                <li>
                  <Link to={`${home}/study-ranges` as never}>
                    <Icon name="sliders-horizontal" />
                    Range backtest
                  </Link>
                </li>
              ) : null}
              {group === 'Market' ? (
                <li>
                  <Link to={`${home}/market` as never}>
                    <Icon name="map" />
                    Market map
                  </Link>
                </li>
              ) : null}
              {tasks.map((entry) => {
                const count = entry.type ? workspace?.counts[entry.type] : undefined
                return (
                  <li key={entry.key}>
                    <Link to={`${home}/${entry.key}` as never}>
                      <Icon name={entry.icon} />
                      {entry.task}
                      {count ? <span className={styles.count}>{count}</span> : null}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </section>
        )
      })}
    </>
  )
}
