/** Selects a record of a list for a comparison. */
export function CompareBox({
  name,
  isChosen,
  onChoose,
}: {
  name: string
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <input type="checkbox" aria-label={`Compare ${name}`} checked={isChosen} onChange={onChoose} />
  )
}
