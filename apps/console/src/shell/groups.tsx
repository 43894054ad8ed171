import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { Membership } from '../api/queries.ts'
import { badgesOf, inboxQuery } from '../api/waiting.ts'
import { permits } from '../declared/families.ts'
import { areaPathOf, areas, tabsOf } from '../declared/pages.ts'
import { Icon } from '../ui/icons.tsx'
import styles from './shell.module.css'

/** Main navigation: areas in which the role can read at least one list. */
export function Groups({ membership }: { membership: Membership }) {
  const { data: badges } = useQuery({ ...inboxQuery(membership.organizationId), select: badgesOf })
  const home = `/o/${membership.organizationId}`
  const current = areaPathOf(useLocation().pathname.slice(home.length))
  const open = areas.filter((area) =>
    tabsOf(area).some(({ families }) =>
      families.some(({ permission }) => permits(membership.role, permission)),
    ),
  )
  const [settings] = open.filter(({ path }) => path === 'settings')
  const entry = (path: string, label: string, icon: string) => {
    const count = badges?.[path]
    return (
      <li key={path}>
        <Link
          to={`${home}/${path}` as never}
          aria-current={path === current ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ exact: true }}
        >
          <Icon name={icon} />
          {label}
          {count ? <Count count={count} /> : null}
        </Link>
      </li>
    )
  }
  return (
    <>
      <ul>
        {entry('', 'Home', 'house')}
        {open
          .filter((area) => area !== settings)
          .map(({ path, label, icon }) => entry(path, label, icon))}
      </ul>
      <ul className={styles.last}>
        {entry('records', 'All records', 'archive')}
        {settings ? entry('settings', settings.label, settings.icon) : null}
      </ul>
    </>
  )
}

function Count({ count }: { count: number }) {
  return (
    <span className={styles.count}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> waiting</span>
    </span>
  )
}
