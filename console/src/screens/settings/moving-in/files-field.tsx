import { Field } from '../../../ui/field.js';
import styles from '../../../ui/field.module.css';

export interface TextFile {
  name: string;
  content: string;
}

interface Props {
  label: string;
  accept: string;
  multiple?: boolean;
  onFiles: (files: TextFile[]) => void;
}

/** Local files of the user, read in the browser. */
export const FilesField = ({ label, accept, multiple = false, onFiles }: Props) => (
  <Field label={label}>
    {(ids) => (
      <input
        {...ids}
        class={styles.input}
        type="file"
        accept={accept}
        multiple={multiple}
        onChange={async (event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          onFiles(
            await Promise.all(chosen.map(async (file) => ({ name: file.name, content: await file.text() }))),
          );
        }}
      />
    )}
  </Field>
);
