import { defineConfig } from "astro/config";

export default defineConfig({ site: "https://flora.example.net/", build: { format: "file" } });
