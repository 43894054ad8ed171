import { printValue } from '@liquidity-os/drawing/numbers'
import { spotsOfSvg } from '@liquidity-os/drawing/spots'
import { useQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useMembership } from '../api/queries.ts'
import { ApiFailure, ask, read } from '../api/send.ts'
import { index } from '../declared/families.ts'
import type { FamilyFile } from '../declared/types.ts'
import { labelOf } from '../fields/meaning.ts'
import { percentOf, utcOf } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import { Amount, Price, RecordLink } from '../fields/value.tsx'
import { useIsDark } from '../shell/theme.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Panel, Scrolled } from '../ui/parts.tsx'
import { csvOf, saveText } from './csv.ts'
import { type Drawn, DrawnPicture } from './drawn-picture.tsx'
import styles from './pages.module.css'
import { darkened } from './picture-colours.ts'
import { readableWidth, requestedWidth, sizeOf } from './picture-width.ts'

/** Lifetime of the object URL of a replaced chart. */
const addressLifetimeMilliseconds = 30_000

/** A chart with its title, text alternative and table. */
export interface ShownPicture {
  name: string
  title: string
  description: string
  table: { columns: readonly string[]; rows: readonly (readonly unknown[])[] }
  /** Labels of the columns in the readout; default: their names in the table. */
  labels?: readonly string[]
}

export interface Picture extends ShownPicture {
  href: string
}

/** Charts of a record; null if the service renders none for this family. */
export function Pictures({ file, id }: { file: FamilyFile; id: string }) {
  return file.drawnIn === null ? null : <PicturesOf family={file.drawnIn} id={id} />
}

/** Charts of one record; empty if the service renders none. */
export function usePictures(family: string, id: string) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: [organizationId, 'pictures', family, id],
    queryFn: () =>
      read<Picture[]>(organizationId, `/pictures/${family}/${encodeURIComponent(id)}`).catch(
        (error: unknown) => {
          if (error instanceof ApiFailure && error.status === 404) return []
          throw error
        },
      ),
  })
}

export function PicturesOf({ family, id }: { family: string; id: string }) {
  const pictures = usePictures(family, id)
  if (pictures.error)
    return <Fault error={pictures.error} onRetry={() => void pictures.refetch()} />
  // An empty element would add space between its neighbors.
  if (!pictures.data?.some(({ table }) => table.rows.length > 0)) return null
  return (
    <div className={styles.pictures}>
      {pictures.data
        .filter(({ table }) => table.rows.length > 0)
        .map((picture) => (
          <Figure key={picture.name} picture={picture} />
        ))}
    </div>
  )
}

/** Chart width to request: the sheet width, in steps. Null before the first layout. */
export function useRequestedWidth(sheet: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    if (!sheet.current) return
    const watch = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(requestedWidth(entry.contentRect.width))
    })
    watch.observe(sheet.current)
    return () => watch.disconnect()
  }, [sheet])
  return width
}

/** @param of subject of the chart, if several with one title are shown */
export function Figure({ picture, of }: { picture: Picture; of?: string }) {
  const label = of ? `${picture.title}, ${of}` : picture.title
  const { organizationId } = useMembership()
  const sheet = useRef<HTMLElement>(null)
  const width = useRequestedWidth(sheet)
  const href = picture.href.slice(index.basePath.length)
  const path = `${href}${href.includes('?') ? '&' : '?'}width=${width}`
  // The old chart stays until the new width has loaded, unless the subject changed.
  const keyOf = [organizationId, 'picture', href] as const
  const bytes = useQuery({
    queryKey: [...keyOf, width],
    queryFn: () =>
      ask<Uint8Array<ArrayBuffer>>(
        organizationId,
        { id: 'getPicture', method: 'GET', path, isBytes: true },
        {},
      ).then(({ body }) => body),
    enabled: width !== null,
    placeholderData: (before, query) =>
      keyOf.every((part, index) => part === query?.queryKey[index]) ? before : undefined,
  })
  const isDark = useIsDark()
  const svg = useMemo(() => {
    if (!bytes.data) return null
    const text = new TextDecoder().decode(bytes.data)
    return isDark ? darkened(text) : text
  }, [bytes.data, isDark])
  return (
    <DrawnFigure picture={picture} of={of} label={label} sheet={sheet} svg={svg}>
      {bytes.error ? <Fault error={bytes.error} onRetry={() => void bytes.refetch()} /> : null}
    </DrawnFigure>
  )
}

/**
 * A chart with its readout, caption and table.
 *
 * @param svg in the colors of the theme; null until it is drawn
 */
export function DrawnFigure({
  picture,
  of,
  label = picture.title,
  sheet,
  svg,
  children,
}: {
  picture: ShownPicture
  of?: string | undefined
  label?: string
  sheet: RefObject<HTMLElement | null>
  svg: string | null
  children?: ReactNode
}) {
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (svg === null) return setDrawn(null)
    const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    setDrawn({
      address,
      minWidth: readableWidth(svg),
      ...sizeOf(svg),
      spots: spotsOfSvg(svg),
    })
    // If its object URL is revoked, an image that is still loading fails.
    return () => {
      setTimeout(() => URL.revokeObjectURL(address), addressLifetimeMilliseconds)
    }
  }, [svg])
  return (
    <Panel title={picture.title} note={of}>
      <figure className={styles.picture}>
        <DrawnPicture
          drawn={drawn}
          label={label}
          sheet={sheet}
          description={picture.description}
          read={(row) => <RowRead picture={picture} row={row} />}
          onTable={() => setOpen((was) => !was)}
        />
        {children}
        <figcaption>{withoutMark(picture.description)}</figcaption>
      </figure>
      <Rows picture={picture} label={label} isOpen={isOpen} onToggle={setOpen} />
    </Panel>
  )
}

/** The chart itself shows the mark of a simulated market. */
const withoutMark = (description: string) => description.replace(/^SIMULATED · [^.]*\. /, '')

/** Unit suffix of the integers in a column of a chart table. */
const columnUnit = /, (atoms|quote atoms|token atoms|X36)$/
/** Member names get their usual label; plain text stays unchanged. */
const headOf = (column: string) => {
  const bare = column.replace(columnUnit, '')
  return /[ ,]/.test(bare) ? bare : labelOf(bare)
}

/** Record IDs are displayed as record names. */
const isRecordId = (text: string) => /^[a-z]+(_[a-z]+)*_[0-9a-f]{32}$/.test(text)

const isTime = (text: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text)

/** Decimal numbers and atomic amounts show six digits; the title and the file have all digits. */
const isLong = (column: string, text: string) =>
  /^-?\d+\.\d+$/.test(text) || (column.endsWith(', atomic units') && /^-?\d{7,}$/.test(text))

/** Unit of the integers in a column, from the column name if it is a member name. */
function unitOf(column: string, text: string): string | undefined {
  const unit = columnUnit.exec(column)?.[1]
  if (unit !== undefined || !/^-?\d+$/.test(text)) return unit
  return /([pP]ips|Quote|Base|X18|X36|[sS]econds)$/.exec(column)?.[1]
}

/**
 * A value of a chart table. Amounts and prices appear in whole tokens if the column states their
 * unit.
 */
function Figured({ column, figure }: { column: string; figure: unknown }) {
  const { base, quote, own } = useUnits()
  if (figure === null || figure === undefined) return <>—</>
  const text = String(figure)
  // Atoms and fixed-point integers are texts; a quote number is already in whole tokens.
  const isExact = typeof figure === 'string'
  switch (unitOf(column, text)) {
    case 'pips':
    case 'Pips':
      return <>{percentOf(BigInt(text))}</>
    case 'seconds':
    case 'Seconds':
      return <>{text} s</>
    case 'Quote':
      return isExact ? <Amount atoms={text} asset={quote} /> : text
    case 'Base':
      return isExact ? <Amount atoms={text} asset={base} /> : text
    case 'X18':
      return <Price price={text} scale={18} />
    case 'X36':
      return <Price price={text} scale={36} />
    case 'atoms':
      return <Amount atoms={text} asset={own === undefined ? quote : own} />
    case 'token atoms':
      return <Amount atoms={text} asset={base} />
    case 'quote atoms':
      return <Amount atoms={text} asset={quote} />
    default:
      if (isRecordId(text)) return <RecordLink id={text} />
      if (isTime(text)) return <>{utcOf(text)}</>
      return isLong(column, text) ? <span title={text}>{printValue(Number(text))}</span> : text
  }
}

function RowRead({ picture: { table, labels }, row }: { picture: ShownPicture; row: number }) {
  return (
    <dl>
      {table.columns.map((column, at) => {
        const figure = table.rows[row]?.[at]
        if (figure === null || figure === undefined || figure === '') return null
        return (
          <div key={column}>
            <dt>{labels?.[at] ?? headOf(column)}</dt>
            <dd>
              <Figured column={column} figure={figure} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Displayed table rows; the file has all. */
const rowsShown = 200

function Rows({
  picture: { name, table },
  label,
  isOpen,
  onToggle,
}: {
  picture: ShownPicture
  label: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}) {
  const { columns, rows } = table
  const shown = rows.slice(0, rowsShown)
  return (
    <details
      className={styles.rows}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary>
        Chart data, {rows.length} {rows.length === 1 ? 'row' : 'rows'}
      </summary>
      {isOpen ? (
        <>
          <Scrolled label={`Chart data: ${label}`}>
            <table className={styles.table}>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column} scope="col">
                      {headOf(column)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the order of a drawn table never changes
                  <tr key={index}>
                    {columns.map((column, at) => (
                      <td key={column} data-label={headOf(column)}>
                        <Figured column={column} figure={row[at]} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolled>
          {rows.length > shown.length ? (
            <p>{rows.length - shown.length} more rows in the CSV file.</p>
          ) : null}
          <Button
            icon="download"
            isSmall
            onClick={() => saveText(`${name}.csv`, csvOf(columns, rows), 'text/csv')}
          >
            CSV
          </Button>
        </>
      ) : null}
    </details>
  )
}
