import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useAwaySince } from '../api/connection.ts'
import { type Membership, MembershipContext, sessionQuery } from '../api/queries.ts'
import { ApiFailure, askExtension } from '../api/send.ts'
import { areaPathOf, areas } from '../declared/pages.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { Entrance, rememberOrganization } from './entrance.tsx'
import { Groups } from './groups.tsx'
import { Invitations } from './invitations.tsx'
import { useKeys } from './keys.ts'
import { Palette } from './palette.tsx'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'
import { ThemeButton } from './theme.tsx'

export function Shell() {
  const session = useQuery({ ...sessionQuery, refetchInterval: 60_000 })
  const { organizationId } = useParams({ from: '/o/$organizationId' })
  const found = session.data?.organizations.find(({ id }) => id === organizationId)
  const membership = useMemo<Membership | null>(
    () =>
      session.data && found
        ? { session: session.data, organizationId, organizationName: found.name, role: found.role }
        : null,
    [session.data, found, organizationId],
  )
  useEffect(() => {
    if (found) rememberOrganization(found.id)
  }, [found])
  if (membership === null) {
    if (session.isPending) return null
    if (session.error) return <Entrance />
    return (
      <main className={styles.entrance}>
        <Notice tone="hold" title="Organization not found">
          <p>
            The account {session.data?.email} has no access. <a href="/">Go to your organization</a>
          </p>
        </Notice>
      </main>
    )
  }
  const isSignedOut = session.error instanceof ApiFailure && session.error.status === 401
  return (
    <MembershipContext value={membership}>
      <Frame membership={membership} />
      {isSignedOut ? <SignedOut /> : null}
      {session.error && !isSignedOut ? (
        <div className={styles.fault}>
          <Fault error={session.error} />
        </div>
      ) : null}
    </MembershipContext>
  )
}

/** Areas in the bar of narrow screens. */
const bottomAreas = new Set(['markets', 'treasury', 'proposals'])

function areaTitle(path: string): string {
  if (path === '') return 'Home'
  if (path === 'your-sign-in') return 'Sign-in methods'
  return areas.find((area) => area.path === path)?.label ?? 'All records'
}

function Frame({ membership }: { membership: Membership }) {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const location = useLocation()
  const home = `/o/${membership.organizationId}`
  const area = areaPathOf(location.pathname.slice(home.length))
  useEffect(() => {
    document.title = `${areaTitle(area)} · ${membership.organizationName} · Liquidity OS`
  }, [area, membership.organizationName])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is shown
  useEffect(() => setMenuOpen(false), [location.pathname])
  useKeys({ onFind: () => setPaletteOpen(true), organizationId: membership.organizationId })
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <OrganizationSwitch membership={membership} />
        <button type="button" className={styles.find} onClick={() => setPaletteOpen(true)}>
          <Icon name="search" />
          <span>Search or paste an address</span>
          <kbd>Ctrl K</kbd>
        </button>
        <div className={styles.right}>
          <span className={styles.clock}>UTC</span>
          <ThemeButton />
          <Account membership={membership} />
        </div>
      </header>
      <nav className={styles.side} data-open={isMenuOpen} aria-label="Areas" id="areas">
        <Groups membership={membership} />
      </nav>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Away />
        <Invitations />
        <Outlet />
      </main>
      <nav className={styles.bottom} aria-label="Main">
        <Link
          to={home as never}
          aria-current={area === '' ? 'page' : undefined}
          activeProps={{}}
          activeOptions={{ exact: true }}
        >
          <Icon name="house" size={20} />
          Home
        </Link>
        {areas
          .filter(({ path }) => bottomAreas.has(path))
          .map(({ path, label, icon }) => (
            <Link
              key={path}
              to={`${home}/${path}` as never}
              aria-current={area === path ? 'page' : undefined}
              activeProps={{}}
            >
              <Icon name={icon} size={20} />
              {label}
            </Link>
          ))}
        <button
          type="button"
          aria-expanded={isMenuOpen}
          aria-controls="areas"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'x' : 'menu'} size={20} />
          More
        </button>
      </nav>
      {isPaletteOpen ? (
        <Palette membership={membership} onClose={() => setPaletteOpen(false)} />
      ) : null}
    </div>
  )
}

/** Switching the organization stays in the current area and drops all cached data. */
function OrganizationSwitch({ membership }: { membership: Membership }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const { organizations } = membership.session
  const choose = (id: string) => {
    // The area exists in every organization; a record does not.
    const [, , , area = ''] = pathname.split('/')
    queries.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] === membership.organizationId,
    })
    void navigate({ to: `/o/${id}/${area}` as never })
  }
  return (
    <div className={styles.organization}>
      <Link
        to={`/o/${membership.organizationId}` as never}
        className={styles.mark}
        aria-label="Home"
      >
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
          <rect width="32" height="32" rx="7" fill="#0b5cad" />
          <path d="M4 26V9c6 0 9 6 12 14 3-8 6-14 12-14v17z" fill="#fff" />
        </svg>
      </Link>
      {organizations.length > 1 ? (
        <select
          aria-label="Organization"
          value={membership.organizationId}
          onChange={(event) => choose(event.target.value)}
        >
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <strong>{membership.organizationName}</strong>
      )}
    </div>
  )
}

function Account({ membership }: { membership: Membership }) {
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const signOut = async () => {
    await askExtension('/auth/logout', {})
    queries.clear()
    window.location.assign('/')
  }
  return (
    // Another page closes it.
    <details key={pathname} className={styles.account}>
      <summary>
        <span aria-hidden="true">{membership.session.email.slice(0, 2).toUpperCase()}</span>
        <span className="visually-hidden">Signed in as {membership.session.email}</span>
      </summary>
      <div>
        <p>{membership.session.email}</p>
        <p className={styles.aside}>
          {membership.role.toLowerCase().replace('_', ' ')} of {membership.organizationName}
        </p>
        <p>
          <Link to={`/o/${membership.organizationId}/your-sign-in` as never}>Sign-in methods</Link>
        </p>
        <p>
          <a href="/docs/">Guide</a>
        </p>
        <p>
          <a href="/docs/api/">API reference</a>
        </p>
        <Button onClick={() => void signOut()}>Sign out</Button>
      </div>
    </details>
  )
}

function Away() {
  const since = useAwaySince()
  if (since === null) return null
  return (
    <div className={styles.away}>
      <Notice tone="warn" title="The service is unreachable">
        <p>
          Data as of {new Date(since).toISOString().slice(11, 19)} UTC. Changes are disabled until
          the service responds.
        </p>
      </Notice>
    </div>
  )
}

/** Shown when the session expires. The page below stays, with all input. */
function SignedOut() {
  return (
    <dialog open className={styles.over} aria-label="Sign in again">
      <SignIn note="Your session expired. Your input is preserved." />
    </dialog>
  )
}
