import { useState, useSyncExternalStore } from 'react'
import { Icon } from '../ui/icons.tsx'
import styles from './shell.module.css'

const root = document.documentElement
const darkSystem = window.matchMedia('(prefers-color-scheme: dark)')

const isDark = (): boolean =>
  root.dataset.theme ? root.dataset.theme === 'dark' : darkSystem.matches

function onTheme(changed: () => void): () => void {
  const chosen = new MutationObserver(changed)
  chosen.observe(root, { attributeFilter: ['data-theme'] })
  darkSystem.addEventListener('change', changed)
  return () => {
    chosen.disconnect()
    darkSystem.removeEventListener('change', changed)
  }
}

/** True if the current theme is dark, by system or user setting. */
export const useIsDark = (): boolean => useSyncExternalStore(onTheme, isDark)

/**
 * Light or dark mode; follows the system until the user chooses. A cookie stores the choice, so the
 * first paint already uses it.
 */
export function ThemeButton() {
  const [dark, setDark] = useState(isDark)
  const change = () => {
    const theme = dark ? 'light' : 'dark'
    root.dataset.theme = theme
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not there on plain http
    document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`
    setDark(!dark)
  }
  return (
    <button
      type="button"
      className={styles.iconButton}
      onClick={change}
      aria-label={dark ? 'Light theme' : 'Dark theme'}
    >
      <Icon name={dark ? 'sun' : 'moon'} size={18} />
    </button>
  )
}
