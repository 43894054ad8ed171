import type { Spot } from '@liquidity-os/drawing/spots'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import styles from './pages.module.css'
import { isSpotKey, nearestSpot, spotAfter } from './spot-walk.ts'

/** A rendered chart with the positions of its table rows, in view box units. */
export interface Drawn {
  readonly address: string
  /** Minimum legible font size, in pixels. */
  readonly minWidth: number
  readonly width: number
  readonly height: number
  readonly spots: readonly Spot[]
}

/**
 * A chart with the values of the selected row above it. The pointer or the arrow keys select a row;
 * a click pins it. One tab stop.
 *
 * @param read text for a row of the table
 * @param onTable called when the user requests the table
 */
export function DrawnPicture({
  drawn,
  label,
  description,
  sheet,
  read,
  onTable,
}: {
  drawn: Drawn | null
  label: string
  description: string
  sheet: RefObject<HTMLElement | null>
  read: (row: number) => ReactNode
  onTable: () => void
}) {
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isPinned, setPinned] = useState(false)
  const ring = useRef<HTMLSpanElement>(null)
  const isWalked = useRef(false)
  const hintId = useId()
  const spots = drawn?.spots ?? []
  // At another width the same rows have other positions.
  const shown = spot
    ? (spots.find(({ row, series }) => row === spot.row && series === spot.series) ?? null)
    : null
  const { x, y } = shown ?? {}
  useEffect(() => {
    // Scrolls only for keyboard navigation; content under a pointer stays in place.
    if (isWalked.current && x !== undefined && y !== undefined)
      ring.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    isWalked.current = false
  }, [x, y])
  const image = drawn ? (
    <img src={drawn.address} alt={description} style={{ minWidth: drawn.minWidth }} />
  ) : null
  // The sheet element never changes, so resize observers stay valid for any content.
  const plot = drawn && spots.length > 0 ? drawn : null
  const at = ({ currentTarget, clientX, clientY }: MouseEvent, { width, height }: Drawn) => {
    const box = currentTarget.getBoundingClientRect()
    return nearestSpot(spots, {
      x: ((clientX - box.left) / box.width) * width,
      y: ((clientY - box.top) / box.height) * height,
    })
  }
  /** A second click on the pinned row unpins it. */
  const togglePin = (event: MouseEvent, on: Drawn) => {
    const next = at(event, on)
    const isSame = isPinned && next?.row === shown?.row && next?.series === shown?.series
    setSpot(isSame ? null : next)
    setPinned(!isSame)
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { key } = event
    if (isSpotKey(key)) {
      isWalked.current = true
      setSpot(spotAfter(spots, shown, key))
      setPinned(true)
    } else if (key === 'Escape' && shown) {
      setSpot(null)
      setPinned(false)
    } else if (key.toLowerCase() === 't') onTable()
    else return
    event.preventDefault()
  }
  return (
    <>
      {plot ? (
        <div className={styles.readOut}>
          <span id={hintId} data-quiet={shown !== null}>
            Point at the chart or use the arrow keys to read values. Click to pin them. Press T for
            the table.
          </span>
          <output>
            {shown ? (
              <>
                <strong>{shown.series}</strong>
                {read(shown.row)}
              </>
            ) : null}
          </output>
        </div>
      ) : null}
      <section
        ref={sheet}
        className={styles.sheet}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, and a plot walked by it
        tabIndex={0}
        aria-label={label}
        {...(plot
          ? {
              role: 'application',
              'aria-roledescription': 'chart',
              'aria-describedby': hintId,
              onKeyDown: press,
            }
          : {})}
      >
        {plot ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: the section is what acts; this is its surface
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the section
          <div
            className={styles.drawn}
            style={{ minWidth: plot.minWidth }}
            onPointerMove={(event) => {
              if (!isPinned && event.pointerType === 'mouse') setSpot(at(event, plot))
            }}
            onPointerLeave={(event) => {
              if (!isPinned && event.pointerType === 'mouse') setSpot(null)
            }}
            onClick={(event) => togglePin(event, plot)}
          >
            {image}
            {shown ? (
              <span
                ref={ring}
                className={styles.ring}
                data-pinned={isPinned}
                style={{
                  insetInlineStart: `${(shown.x / plot.width) * 100}%`,
                  insetBlockStart: `${(shown.y / plot.height) * 100}%`,
                }}
              />
            ) : null}
          </div>
        ) : (
          image
        )}
      </section>
    </>
  )
}
